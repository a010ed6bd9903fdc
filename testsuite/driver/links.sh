# A program links only what it uses of libdpc. Every list names what a change of the library would bring in by an arrow in the wrong direction.
# shellcheck shell=bash disable=SC2154
kind=${MPIS%% *}
export MPICC
MPICC=$(mpicc_of "$kind")
program_of() { printf '%s\n' "$1" '#pragma dpc distribute A(block)' 'int main(void) {' "$2" 'return 0; }'; }
engine=$(cd "$ROOT/runtime/redistribution" && printf '%s ' *.c)
engine=${engine//.c/}
sets="closed rowwise lattice enumerate generator pattern sets"
moves="aggregate broadcast deposit exchange fetch gathers inspector pieces partners reuse routes"
rest="argument replica redistribute align declare outside"

# links MOST OBJECTS UNWANTED...: at most so many objects of libdpc, those among them, and none of the unwanted.
links() {
    local name most=$1 wanted=$2
    shift 2
    grep -o 'libdpc\.a([a-z_0-9]*\.o)' map | sed 's/.*(\(.*\)\.o)/\1/' | sort -u >objects
    # shellcheck disable=SC2068 # lists of names
    for name in $@; do ! grep -qx "$name" objects || { echo "$name is linked"; return 1; }; done
    for name in $wanted; do grep -qx "$name" objects || { echo "$name is not linked"; return 1; }; done
    [ "$(wc -l <objects)" -le "$most" ] || { echo "$(wc -l <objects), more than $most:" && cat objects && return 1; }
}
# try NAME DECLARATIONS STATEMENTS ARGUMENTS OF links
try() {
    local name=$1
    program_of "$2" "$3" >program.dpc
    shift 3
    dpcc -O1 program.dpc -Wl,-Map=map -o program
    verdict "$name" all 'status_is 0' "links $1 '$2' '${*:3}'"
}

try "a local forall" "double A[100];" "forall (i = 0:99) A[i] = i;" \
    29 "array space" "$engine" "$sets" "$moves" "$rest" refresh interior panels reduce element
try "a reduction" "double A[100];" "if (sum(A[:]) > 1) return 1;" \
    30 "reduce" "$engine" "$sets" "$moves" "$rest" refresh interior panels element
try "single elements" "double A[100];" "A[3] = 1; if (A[5] > 1) return 1;" \
    29 "element" "$engine" "$sets" "$moves" "$rest" refresh interior panels reduce
try "ghost cells" "double A[100], B[100];
#pragma dpc distribute B(block)" "forall (i = 1:98) A[i] = B[i-1] + B[i+1];" \
    34 "refresh ghosts interior" "$engine" "$sets" "$moves" "$rest" panels reduce
try "a product" "double A[20], B[20][20], C[20];
#pragma dpc distribute B(block, *)
#pragma dpc distribute C(block)" "A[:] = matmul(B[:][:], C[:]);" \
    49 "array" "$engine" "$rest" refresh interior inspector
try "moves by closed forms" "double A[100], B[100];
#pragma dpc distribute B(cyclic(3))" "forall (i = 0:49) A[i] = B[2*i];" \
    48 "exchange" "$engine" "$rest" refresh interior inspector panels reduce
try "redistribute" "double A[100];" "A[:] = 1;
#pragma dpc redistribute A(cyclic)
A[:] = 2;" \
    200 "redistribute onecopy" argument replica refresh interior inspector panels reduce pieces scalapack interop
