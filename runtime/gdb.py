# For gdb: `print A[3]` on the names of a .dpc program.
#     gdb -x PREFIX/lib/dpc/gdb.py ./program
# In an expression of `print` or `p`, A[i][j] stands for the element of the distributed array A, by global indices, where this process has it;
# else the message says which process has. The library's functions are called in the program, which must run.
import re

import gdb

TYPES = {
    "DPC_BOOL": "_Bool", "DPC_CHAR": "char", "DPC_SIGNED_CHAR": "signed char", "DPC_UNSIGNED_CHAR": "unsigned char",
    "DPC_SHORT": "short", "DPC_UNSIGNED_SHORT": "unsigned short", "DPC_INT": "int", "DPC_UNSIGNED": "unsigned int",
    "DPC_LONG": "long", "DPC_UNSIGNED_LONG": "unsigned long", "DPC_LONG_LONG": "long long",
    "DPC_UNSIGNED_LONG_LONG": "unsigned long long", "DPC_INT128": "__int128", "DPC_UNSIGNED_INT128": "unsigned __int128",
    "DPC_FLOAT": "float", "DPC_DOUBLE": "double", "DPC_LONG_DOUBLE": "long double", "DPC_FLOAT_COMPLEX": "complex float",
    "DPC_DOUBLE_COMPLEX": "complex double", "DPC_LONG_DOUBLE_COMPLEX": "complex long double",
}


def array_named(name):
    """The descriptor of the distributed array, or None."""
    try:
        value = gdb.parse_and_eval(name + "_dist")
    except gdb.error:
        return None
    if value.type.code == gdb.TYPE_CODE_PTR:
        value = value.dereference()
    return value if value.type.strip_typedefs().tag == "dpc_array" else None


def end_of_bracket(text, start):
    depth = 0
    for k in range(start, len(text)):
        depth += {"[": 1, "]": -1}.get(text[k], 0)
        if depth == 0:
            return k
    raise gdb.GdbError("'[' without ']'")


def element(name, array, indices):
    """C text for the element's value in this process's memory."""
    rank = int(array["rank"])
    if rank != len(indices):
        raise gdb.GdbError("'%s' has %d dimensions, not %d" % (name, rank, len(indices)))
    if int(array["local"]) == 0:
        raise gdb.GdbError("'%s' has not been created yet" % name)
    for k, index in enumerate(indices):
        dim = array["dim"][k]
        first, last = int(dim["lower"]) + int(dim["hidden"]), int(dim["lower"]) + int(dim["extent"]) - 1
        if not first <= index <= last:
            raise gdb.GdbError("subscript %d of '%s' is %d, its bounds are %d:%d" % (k + 1, name, index, first, last))
    call = "((%s (*)(void *, void *))%s)((void *)%d, %s)"
    places = gdb.parse_and_eval("(void *)dpc_take_staging(%d, 8)" % rank)
    for k, index in enumerate(indices):
        gdb.parse_and_eval("((long *)%d)[%d] = %d" % (int(places), k, index))
    address = int(array.address)
    try:
        process = int(gdb.parse_and_eval(call % ("int", "dpc_element_process", address, "(void *)%d" % int(places))))
        mine = int(gdb.parse_and_eval("(int)dpc_rank()"))
        if process != mine and not bool(array["copies"]):
            raise gdb.GdbError("%s%s is on process %d; this is process %d"
                               % (name, "".join("[%d]" % index for index in indices), process, mine))
        offset = int(gdb.parse_and_eval(call % ("long", "dpc_element_offset", address, "(void *)%d" % int(places))))
    finally:
        gdb.parse_and_eval("(void)dpc_give_staging((void *)%d)" % int(places))
    place = int(array["local"]) + offset * int(array["size"])
    ctype = TYPES.get(str(array["type"]))
    if ctype is None:
        return "(*(unsigned char (*)[%d])%d)" % (int(array["size"]), place)
    return "(*(%s *)%d)" % (ctype, place)


def rewritten(text):
    """The expression with the elements of distributed arrays as places in memory."""
    out, at = "", 0
    for found in re.finditer(r"[A-Za-z_]\w*", text):
        if found.start() < at or re.search(r"(\.|->)\s*$", text[:found.start()]):
            continue
        array = array_named(found.group()) if re.match(r"\s*\[", text[found.end():]) else None
        if array is None:
            continue
        end, indices = found.end(), []
        while len(indices) < int(array["rank"]) and re.match(r"\s*\[", text[end:]):
            start = text.index("[", end)
            end = end_of_bracket(text, start) + 1
            indices.append(int(gdb.parse_and_eval(rewritten(text[start + 1:end - 1]))))
        out += text[at:found.start()] + element(found.group(), array, indices)
        at = end
    return out + text[at:]


class Print(gdb.Command):
    """print [/FORMAT] EXPRESSION: as ever, with elements of distributed arrays by their global indices."""

    def __init__(self, name, builtin):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)
        self.builtin = builtin

    def invoke(self, argument, from_tty):
        parts = re.match(r"(\s*/\S+\s+)?(.*)$", argument, re.S)
        gdb.execute("%s %s%s" % (self.builtin, parts.group(1) or "", rewritten(parts.group(2))), from_tty)


Print("print", "call")
Print("p", "call")
