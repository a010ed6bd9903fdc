# Constants of the program in the translation: their definitions are the program's, and with another number there it is
# the program for that number, but where it says that a number was computed from them.
# shellcheck shell=bash disable=SC2016,SC2034
# with NAME VALUE: standard input with that number in the definition.
with() { sed "s/^\(#define $1 \)[0-9][0-9]*/\1$2/"; }
# translated FILE [OPTION...] <PROGRAM: the text that dpcc makes of it, in FILE.
translated() {
    local file=$1
    shift
    cat >program.dpc
    dpcc -S "$@" program.dpc -o "$file"
}
while read -r example constant value options; do
    translated text.c ${options:+"$options"} <"$ROOT/examples/$example.dpc"
    verdict "$example: $constant is defined $options" all 'status_is 0' 'grep -q "^#define $constant " text.c' '! with "$constant" "$value" <text.c | cmp -s - text.c'
    with "$constant" "$value" <text.c >changed.c
    with "$constant" "$value" <"$ROOT/examples/$example.dpc" | translated other.c ${options:+"$options"}
    verdict "$example: with another $constant it is the program for that $options" all 'status_is 0' 'same changed.c other.c'
done <<'CASES'
adi N 31
csr SIDE 57
extrinsic N 77
fft N 40
fft M 33
histogram BINS 9
histogram CELLS 32
jacobi N 21
jacobi N 21 --serial
life ROWS 11
lu N 33
multigrid N 32
redistribution N 9999
scalapack N 40
transpose ROWS 41
transpose COLUMNS 29
wavefront N 45
CASES

with N 21 <"$ROOT/examples/jacobi.dpc" >program.dpc
dpcc --serial --run program.dpc
expected=$(cat "$SCRATCH/out")
translated jacobi.c <"$ROOT/examples/jacobi.dpc"
with N 21 <jacobi.c >changed.c
for processes in 1 3 4; do
    dpcc --run -n "$processes" changed.c
    verdict "jacobi: translated and changed, $processes processes" all 'status_is 0' silent 'prints "$expected"'
done

cat >blocks.dpc <<'C'
#define N 1200
#define BLOCK 8
#define WORDS 2u
enum { MANY = N + 1, HIDDEN = 7 };
double A[3*N+7], B[0:N], C[N], D[MANY], E[4 * WORDS], F[HIDDEN];
#pragma dpc distribute A(cyclic(auto)) /* chosen */
#pragma dpc distribute B(cyclic(BLOCK))
#pragma dpc distribute (block) :: C, D, E
#pragma dpc distribute F(cyclic)
static double of(int HIDDEN) { return sum(D[HIDDEN:N]) + sum(F[:]); }
int main(void) {
    forall (i = 0:N-1) C[i] = B[i] + A[3*i];
    A[0:N:3] = 1;
    E[:] = MANY;
    F[:] = 1;
    return of(2) + sum(C[:]) + HIDDEN > 0;
}
C
dpcc -S blocks.dpc -o blocks.c
has() { grep -qF -- "$1" blocks.c || { echo "blocks.c does not say: $1"; return 1; }; }
verdict "what was computed from constants says so" all 'status_is 0' 'has "The blocks that were chosen are computed from N, WORDS, BLOCK."' \
    'has "DPC_CYCLIC(BLOCK)"' 'has ", computed from BLOCK"' 'has "DPC_SHAPE(MANY)"' 'has "DPC_SHAPE(8 /* computed from WORDS */)"' \
    'has "DPC_TO(HIDDEN, N)"' 'has "DPC_TO(0, 6 /* computed from HIDDEN */)"'
dpcc -S --np=4 blocks.dpc -o blocks.c
verdict "and for known processes" all 'status_is 0' 'has "Tables, ghost cells, ways to move and the blocks that were chosen are computed from N"'
