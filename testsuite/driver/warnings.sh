#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# dpcc's own warnings as gcc's: on, off, errors, silent; the names in --help, in docs/language.md, and what the C compiler gets.
printf 'double A[100];\nint main(void) {\n    for (int i = 0; i < 100; i++) A[i] = i;\n    return 0;\n}\n' >plain.dpc
says() { grep -qF -e "$1" "$SCRATCH/err" || { echo "not said: $1"; return 1; }; }
says_not() { ! grep -qF -e "$1" "$SCRATCH/err" || { echo "said: $1"; return 1; }; }

dpcc -S plain.dpc -o - && verdict "on" all 'status_is 0' 'says "warning: no array is distributed" && says "[-Wundistributed]"'
dpcc -S -Wno-undistributed plain.dpc -o -
verdict "off" all 'status_is 0' 'says_not warning'
dpcc -S -Wno-undistributed -Wundistributed plain.dpc -o -
verdict "the last one counts" all 'status_is 0' 'says "[-Wundistributed]"'
dpcc -S -w plain.dpc -o -
verdict "-w" all 'status_is 0' 'says_not warning'
dpcc -S -w -Werror plain.dpc -o -
verdict "-w and -Werror" all 'status_is 0' 'says_not error'
dpcc -S --serial plain.dpc -o -
verdict "not with --serial" all 'status_is 0' 'says_not warning'
for option in -Werror -Werror=undistributed; do
    rm -f x.c
    dpcc -S $option plain.dpc -o x.c
    verdict "$option" all 'status_is 1' 'says "error: no array is distributed" && says "[-Werror=undistributed]" && [ ! -e x.c ]'
done
dpcc -S -Werror -Wno-error=undistributed plain.dpc -o -
verdict "-Wno-error=NAME" all 'status_is 0' 'says "warning: no array is distributed"'
dpcc -S -Werror=element-loops plain.dpc -o -
verdict "-Werror=OTHER" all 'status_is 0' 'says "warning: no array is distributed"'
dpcc -S -Werror -Wno-error plain.dpc -o -
verdict "-Wno-error" all 'status_is 0' 'says "warning: no array is distributed"'

# With -Wall, or by their names.
cp "$ROOT/testsuite/errors/unlike_blocks.dpc" blocks.dpc
dpcc -S blocks.dpc -o -
verdict "with -Wall alone: off" all 'status_is 0' 'says_not warning'
for options in -Wall -Wblock-sizes; do
    dpcc -S $options blocks.dpc -o -
    verdict "with $options" all 'status_is 0' 'says "[-Wblock-sizes]" && says "help: cyclic(30) for '"'C'"' and cyclic(45) for '"'A'"' have one"'
done
dpcc -S -Wno-block-sizes -Wall blocks.dpc -o -
verdict "-Wno-NAME, then -Wall" all 'status_is 0' 'says_not warning'

# Another form of a statement is said with all subscripts, and fits the steps of its index.
cat >forms.dpc <<'C'
double A[20][20], B[20][20];
#pragma dpc distribute (block, block) :: A, B
int main(void) {
    forall (i = 0:19, j = 0:19) A[i][j] = B[i < 9 ? (i + 3) : 0][j] + B[j][(int)(2 * (i / 2) + i)];
    forall (i = 0:19, j = 0:19) A[i][j] = B[i][(int)(j)];
    forall (i = 0:19, j = 0:19) A[i][j] = B[i/2][j];
    forall (i = 1:19:4, j = 0:19) A[i][j] = B[i/2][j];
    return 0;
}
C
dpcc -S -Wall forms.dpc -o -
verdict "other forms of statements" all 'status_is 0' 'says "forall (i = ...) ... B[i + 3][j] ..."' 'says "without the conversion, as B[i][j]:"' \
    'says "2*i + 1 for '"'i'"' on the left side, that read B[i][j]"' 'says "'"'i'"' that counts by 2, with 2*i + 1 where it stands now, reads B[i][j]"'

# How often a loop without a count is executed is not known; nothing of processes is said of a serial program.
cat >counts.dpc <<'C'
double A[90];
#pragma dpc distribute A(cyclic(2))
int main(void) {
    int k = 0;
    while (A[k] < 3) k++;
    for (int i = 1; i < 90; i++) A[i] += A[i - 1];
    return k;
}
C
dpcc -S counts.dpc -o -
verdict "a while loop" all 'status_is 0' 'says "5:5: note: this loop runs one element after the other, on every process: each element that it reads may be a message"' \
    'says "one after the other: 44 messages"'
dpcc -S --serial --reproducible counts.dpc -o -
verdict "a pipeline, --serial --reproducible" all 'status_is 0' 'says_not warning'

# An array that is copied whole is named once, as often as a statement reads it.
cat >shared.dpc <<'C'
extern double F[40];
#pragma dpc distribute F(block)
static double T[40];
#pragma dpc align T[i] with F[i]
int main(void) {
    for (int i = 1; i < 39; i++) {
        double c = F[i], l = F[i - 1];
        T[i] = c + (F[i + 1] - l) * (c - l);
    }
    return T[3] > 1;
}
C
dpcc -S -Wall shared.dpc -o -
verdict "arrays that are copied whole" all 'status_is 0' '[ "$(grep -c "is copied whole" "$SCRATCH/err")" = 1 ]'

# What a loop's statements on rows do is said apart from the others.
cat >rows.dpc <<'C'
double A[40][40], b[40];
#pragma dpc distribute A(block, *)
#pragma dpc distribute b(block)
int main(void) {
    for (int k = 1; k < 40; k++) {
        double f = b[k] * b[k-1] + b[39-k];
        A[k][:] = A[k-1][:] * f;
        b[k] = f + sum(A[k][:]) * b[(k*k)%40];
    }
    return b[3] > 1;
}
C
dpcc -S rows.dpc -o -
verdict "a loop around statements on rows" all 'status_is 0' 'says "rows.dpc:5:5: note: foralls and sections in this loop are parallel, its other statements run one element after the other, on every process: it reads at least "' \
    'says_not "this loop runs"'
sed -i '/\[k-1\]\[:\]/d; s/sum(A\[k\]\[:\])/A[k][0]/' rows.dpc
dpcc -S rows.dpc -o -
verdict "the same loop without them" all 'status_is 0' 'says "rows.dpc:5:5: note: this loop runs one element after the other, on every process: it reads at least "'

# The C compiler gets what is not dpcc's own; it knows none of dpcc's names.
printf 'double A[8];\n#pragma dpc distribute A(block)\nint main(void) {\n    int unused;\n    return (int)A[0];\n}\n' >unused.dpc
dpcc -c -Wunused-variable -Wgathers -Werror=gathers unused.dpc
verdict "names of the C compiler" all 'status_is 0' 'says "[-Wunused-variable]" && says_not unrecognized'
dpcc -c -Wunused-variable -w unused.dpc
verdict "-w is the C compiler's, too" all 'status_is 0' 'says_not warning'
dpcc -c -Wno-such-name unused.dpc
verdict "-Wno- with an unknown name" all 'status_is 0' 'says_not such'
dpcc -c -Wsuch-name unused.dpc
verdict "-W with an unknown name" all '! status_is 0 >/dev/null' 'says "such-name"'

# One table of names.
sed -n 's/^WARNING([a-z_]*, *"\([^"]*\)", *\([A-Z]*\), *"\(.*\)")$/\1 \2 \3/p' "$ROOT/ir/warnings.def" >names
dpcc --help
while read -r name group about; do
    [ "$group" = WALL ] && about+=" (with -Wall)"
    grep -q -e "^  -W$name  *$about$" "$SCRATCH/out" || echo "--help: $name"
    grep -qF -e "| \`-W$name\` | $about |" "$ROOT/docs/language.md" || echo "docs/language.md: | \`-W$name\` | $about |"
done <names >missing
verdict "names in --help and docs/language.md" all '[ -s names ]' '[ ! -s missing ] || { cat missing; false; }'
