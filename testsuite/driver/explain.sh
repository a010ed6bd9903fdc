# --explain: what it prints, and how it behaves as a command.
# shellcheck shell=bash disable=SC2016,SC2034
cat >pair.dpc <<'C'
#define n 4000
double A[n], C[n], B[0:9][-1:1], V[n];
int at[n];
#pragma dpc processors P(*)
#pragma dpc distribute A(cyclic(64)) onto P
#pragma dpc distribute C(cyclic(63)) onto P
#pragma dpc distribute B(block, *)
#pragma dpc distribute V(cyclic(auto))
int main(void) {
    forall (i = 0:1299) A[3*i] = C[2*i+1];
    forall (i = 0:n-2) V[i] = V[i+1];
    forall (i = 0:n-1) A[i] = V[at[i]];
    B[1:9][0] = B[0:8][0];
    for (int i = 0; i < n; i++)
        A[i] = i;
    double s = 0;
    for (int i = 0; i <= n - 1; i++) s += A[i];
    return s > 0 && A[7] > sum(C[:]) ? 0 : 1;
}
C
echo 'int main(void) { return 0; }' >empty.dpc
printf 'double A[4];\n#pragma dpc distribute A(block)\nint main(void) { A[0:1] = A[0:2]; return 0; }\n' >wrong.dpc
FILES="empty.dpc pair.dpc wrong.dpc"

# json EXPRESSION: Python, about the object x.
json() {
    command -v python3 >/dev/null || return 0
    python3 - "$SCRATCH/out" "$1" <<'P'
import json, sys
x = json.loads(open(sys.argv[1]).read())
ok = eval(sys.argv[2])
if not ok: print("not true:", sys.argv[2])
sys.exit(not ok)
P
}

for option in --explain --explain=text; do
    dpcc $option pair.dpc
    verdict "$option" all 'status_is 0' silent "files_are '$FILES'" 'prints_like "^pair.dpc, for any number N"' \
        'prints_like "^  line 2  *double A\[n\]  *(cyclic(64)) onto P$"' \
        'prints_like "^  line 2  *double B\[10\]\[-1:1\]  *(block, \*)$"' \
        'prints_like "chosen, estimated"' 'prints_like "^block sizes compared"' 'prints_like "^  \* cyclic("' \
        'prints_like "^    sets       C\[2\*i+1\]: "' 'prints_like "^               i  case 1  row-wise  b1 64 s1 3  b2 63 s2 2"' \
        'prints_like "^    shift      V\[i+1\]: "' 'prints_like "^    gather     V\[at\[i\]\]: "'
done
verdict "hints" all \
    'prints_like "^  line 10  *A cyclic(64), C cyclic(63): no closed form, [0-9]* sections per pair on 4 processes; cyclic(63) and cyclic(42) would move nothing$"' \
    'prints_like "^  line 12  *V\[at\[i\]\] gathers: "'
dpcc --np=4 --explain pair.dpc
verdict "--np" all 'status_is 0' 'prints_like "^pair.dpc, for 4 processes$"' 'prints_like "each of 4 processes sends: messages"'
dpcc --explain=json --np=4 pair.dpc
verdict "JSON" all 'status_is 0' silent "files_are '$FILES'" '[ "$(wc -l <"$SCRATCH/out")" = 1 ]' \
    'json "x[\"file\"] == \"pair.dpc\" and x[\"processes\"] == 4"' \
    'json "[a[\"name\"] for a in x[\"arrays\"]] == [\"A\", \"C\", \"B\", \"V\"] and x[\"arrays\"][0][\"line\"] == 2"' \
    'json "x[\"arrays\"][0][\"dims\"] == [{\"lower\": 0, \"extent\": 4000, \"format\": \"cyclic\", \"block\": 64, \"processes\": 4, \"ghost_cells\": [0, 0], \"chosen\": False, \"grid_dim\": 0}]"' \
    'json "[d[\"lower\"] for d in x[\"arrays\"][2][\"dims\"]] == [0, -1] and x[\"arrays\"][2][\"dims\"][1][\"grid_dim\"] is None"' \
    'json "x[\"arrays\"][3][\"dims\"][0][\"chosen\"] and x[\"arrays\"][3][\"dims\"][0][\"alternatives\"]"' \
    'json "[s[\"line\"] for s in x[\"statements\"]] == [10, 11, 12, 13, 15, 17, 18, 18]"' \
    'json "[s[\"kind\"] for s in x[\"statements\"]] == [\"forall\"] * 3 + [\"array-assignment\", \"forall\", \"reduction\", \"element-read\", \"reduction\"]"' \
    'json "[r[\"relation\"] for s in x[\"statements\"] for r in s[\"refs\"]] == [\"sets\", \"shift\", \"gather\", \"shift\", \"reduce\", \"broadcast\", \"reduce\"]"' \
    'json "[x[\"statements\"][0][\"refs\"][0][\"dims\"][0][k] for k in (\"case\", \"method\", \"b1\", \"s1\", \"b2\", \"s2\")] == [1, \"row-wise\", 64, 3, 63, 2]"' \
    'json "x[\"statements\"][0][\"refs\"][0][\"model\"] == \"conventional\" and len(x[\"statements\"][0][\"bytes\"]) == 4"' \
    'json "x[\"statements\"][2][\"unpredicted\"] and \"messages\" not in x[\"statements\"][2]"'
dpcc --explain=json pair.dpc
verdict "expressions where nothing is known" all 'status_is 0' \
    'json "x[\"arrays\"][2][\"dims\"][0][\"block\"] == \"ceil(10 / N)\" and \"processes\" not in x"' \
    'json "all(\"unpredicted\" in s for s in x[\"statements\"])"'
dpcc --explain=json --np=4 --sets=enumerate pair.dpc
verdict "--sets" json 'x["statements"][0]["refs"][0]["dims"][0]["method"] == "enumerate"'
dpcc --explain --sets=closed pair.dpc
verdict "a method that does not serve" prints_like "--sets=closed does not serve it"
dpcc --explain=json --np=4 --model=deposit pair.dpc
verdict "--model" json 'x["statements"][0]["refs"][0]["model"] == "deposit"'
cat >slow.dpc <<'C'
double A[100], B[20][20];
#pragma dpc distribute A(cyclic)
#pragma dpc distribute B(block, block)
int main(void) {
    for (int i = 1; i < 20; i++) for (int j = 0; j < 19; j++) B[i][j] = B[i-1][j+1] + 1;
    for (unsigned char q = 0; q < 200; q++) A[q / 2] = 1;
    for (int i = 1; i < 100; i++) A[i] = A[i-1] + 1;
    return 0;
}
C
dpcc --explain slow.dpc
verdict "loops that stay sequential" all 'status_is 0' \
    'prints_like "^  line 5  .*one element after the other: .B\[i\]\[j\]. of line 5 is read again as .B\[i-1\]\[j+1\]., iterations apart: 1 of .i., 1 of .j."' \
    'prints_like "^  line 6  .*one element after the other: "' 'says "on every process: single elements are only stored, without messages"' \
    'says "^help: iterations need what one with a later .j. stores"' \
    'says "the processes execute the loop.s blocks of .A. one after the other: 99 messages"' \
    'says "^help: with .block. for dimension 1 of .A. one message goes from each process to the next"'
rm slow.dpc
# What a pragma stands before is executed alone, whether the other statement is before or behind it; a comment is none.
for pragma in '#pragma omp master' '_Pragma("omp master")' '/* #pragma omp master */' '// _Pragma'; do
    for behind in 4 5 6; do
        printf 'double A[9], B[9], C[9];\n#pragma dpc distribute (block) :: A, B, C\nint main(void) {\n    A[:] = 1;\n    B[:] = A[:];\n    C[:] = A[:];\n}\n' |
            awk -v pragma="$pragma" -v behind=$behind 'NR == behind { print pragma } { print }' >pragma.dpc
        dpcc --explain pragma.dpc
        case "$behind $pragma" in
        *'/'*) loops=2 ;;
        5*) loops=0 ;;
        *) loops=1 ;;
        esac
        verdict "statements in the loops of others, $pragma before line $behind" \
            [ "$(grep -c 'executed in the loops of line' "$SCRATCH/out")" = $loops ]
    done
done
rm pragma.dpc
# Bounds are those of the declaration, not the constants that the program keeps them in.
printf 'int main(int argc, char **argv) {\n    long n = 100 + argc;\n    double A[n], B[0:n-1];\n#pragma dpc distribute (block) :: A, B\n    forall (i = 0:n-1) B[i] = A[n-1-i];\n    return argv == 0;\n}\n' >bounds.dpc
dpcc --explain bounds.dpc
verdict "bounds as declared" all 'status_is 0' 'prints_like "b1 ceil(n / N) s1 1"' '! grep -q _upper0 "$SCRATCH/out"'
dpcc --explain=json bounds.dpc
verdict "bounds as declared, JSON" all 'status_is 0' '! grep -q _upper0 "$SCRATCH/out"'
rm bounds.dpc
# Owners of intervals: their lengths, or when they are known.
cat >intervals.dpc <<'E'
int main(int argc, char **argv) {
    static const int w[2] = {3, 7};
    int v[2] = {argc, 10 - argc};
    double A[10], B[10][4];
#pragma dpc distribute A(gen_block(w))
#pragma dpc distribute B(gen_block(v), *)
    A[:] = B[:][2];
    return argv == 0;
}
E
dpcc --explain intervals.dpc
verdict "owners of intervals" all 'status_is 0' 'prints_like "^  *owners: intervals of 3, 7 elements$"' \
    'prints_like "dimension 1: owners: computed at run time, from .v. when the directive is executed$"'
dpcc --explain=json intervals.dpc
verdict "owners of intervals, JSON" all 'status_is 0' 'json "[d.get(\"sizes\", d.get(\"owners\", \"\")[:23]) for a in x[\"arrays\"] for d in a[\"dims\"]] == [[3, 7], \"computed at run time, f\", \"\"]"'
rm intervals.dpc
cat >moved.dpc <<'E'
double A[12];
#pragma dpc distribute A(cyclic(2))
int main(int argc, char **argv) {
    A[1] = 2;
    #pragma dpc redistribute A(block)
    A[2] = A[3];
    if (argc > 1) {
        #pragma dpc redistribute A(cyclic)
    }
    #pragma dpc independent
    for (int i = 0; i < 12; i++) A[i] = i;
    A[4] += 1;
    return argv == 0;
}
E
dpcc --explain=json moved.dpc
verdict "elements have the mapping that reaches them" all 'status_is 0' \
    'json "[[r[\"mapping\"] for r in s[\"refs\"]] for s in x[\"statements\"] if s[\"line\"] in (4, 6, 8)] == [[\"(cyclic(2))\"], [\"(block)\", \"(block)\"], [\"(block)\"]]"' \
    'json "[s[\"notes\"][-1] for s in x[\"statements\"] if s[\"line\"] == 12] == [\"A is (block) or (cyclic) here, known at run time only\"]"' \
    'json "{d[\"index\"] for s in x[\"statements\"] if s[\"line\"] == 11 for r in s[\"refs\"] for d in r[\"dims\"]} <= {\"i\"}"'
rm moved.dpc
cat >alike.dpc <<'E'
double v[60], w[60], x[10], y[10];
long c[60], row[11];
#pragma dpc distribute (block) :: v, c, x, y, row
#pragma dpc distribute w(cyclic)
int main(void) {
    forall (i = 0:9) y[i] = sum(k = row[i]:row[i+1]-1, v[k] * x[c[k]] + w[k]);
    return 0;
}
E
dpcc --explain=json --np=4 alike.dpc
verdict "gathers with the same subscripts" all 'status_is 0' \
    'json "[(r[\"text\"], r.get(\"inspected_with\"), r[\"formulas\"][\"messages\"]) for s in x[\"statements\"] for r in s[\"refs\"] if r[\"relation\"] == \"gather\"] == [(\"v[k]\", None, 6), (\"c[k]\", \"v[k]\", 3), (\"x[c[k]]\", None, 6), (\"w[k]\", \"v[k]\", 6)]"'
rm alike.dpc
printf '#include <string.h>\ndouble A[12];\n#pragma dpc distribute A(block)\nint main(void) {\n    forall (i = 0:11) A[i] = strlen("\351t\303\251") + A[11-i];\n    return 0;\n}\n' >$'l\351.dpc'
dpcc --explain=json $'l\351.dpc'
verdict "names and texts that are no UTF-8" all 'status_is 0' 'json "x[\"file\"] == \"l\\xe9.dpc\" and \"\\xe9t\\xe9\" in x[\"statements\"][0][\"text\"]"'
echo 'int x = undeclared;' >>$'l\351.dpc'
dpcc --diagnostics=json -S $'l\351.dpc' -o -
cp "$SCRATCH/err" "$SCRATCH/out"
verdict "diagnostics about them" all 'status_is 1' 'json "x[\"file\"] == \"l\\xe9.dpc\""'
rm $'l\351.dpc'
dpcc --explain=json empty.dpc
verdict "an empty program" all 'status_is 0' 'json "x == {\"file\": \"empty.dpc\", \"grids\": [], \"arrays\": [], \"statements\": [], \"hints\": []}"'
dpcc --explain=json empty.dpc pair.dpc
verdict "two files: an object on a line each" all 'status_is 0' '[ "$(wc -l <"$SCRATCH/out")" = 2 ]'
printf '#include "absent.h"\nint main(void) { return 0; }\n' >unread.dpc
for option in --explain --explain=json --dump=tokens --dump=ast --dump=ir --dump=plan; do
    dpcc $option unread.dpc
    verdict "$option: the preprocessor finds an error" all 'status_is 1' 'says "^unread.dpc:1:10: .*absent.h"' 'prints ""'
    dpcc $option pair.dpc unread.dpc
    verdict "$option: it finds one in the second file" all 'status_is 1' 'says "^unread.dpc:1:10: .*absent.h"'
done
rm unread.dpc
dpcc --explain wrong.dpc
verdict "a wrong program" all 'status_is 1' 'says "do not conform"' 'prints ""' "files_are '$FILES'"
fails_with 2 "unknown value 'xml' of --explain" --explain=xml pair.dpc
fails_with 2 "cannot be used" --explain --run pair.dpc
fails_with 2 "cannot be used" --explain --serial pair.dpc
fails_with 2 "cannot be used" --explain -E pair.dpc
fails_with 2 "cannot be used" --explain -o x pair.dpc
fails_with 2 "standard output" --explain --dump=ir pair.dpc
dpcc_to /dev/full --explain pair.dpc
verdict "a full disk" status_is 3
# Ghost cells with corners, without --np: that asked an array's layout that nobody had filled in.
if [ "$(command -v valgrind)" ]; then
    valgrind -q --error-exitcode=9 "$DPCC" --explain "$ROOT/examples/life.dpc" >"$SCRATCH/out" 2>"$SCRATCH/err"
    STATUS=$?
    verdict "no number comes from memory that nobody set" all 'status_is 0' 'grep -q "ghost cells" "$SCRATCH/out"'
else
    pass "driver/$TEST: memory that nobody set (no valgrind)"
fi
