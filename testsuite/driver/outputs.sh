# What is written, where, and that it appears whole or not at all.
# shellcheck shell=bash disable=SC2016
printf '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n' >ok.dpc
printf 'int main(void) { return }\n' >wrong.dpc
mkdir sub && cp ok.dpc sub/below.dpc
S="ok.dpc sub sub/below.dpc wrong.dpc"

dpcc -S ok.dpc
verdict "-S writes ok.c" all 'status_is 0' silent 'prints ""' "files_are 'ok.c $S'"
mv ok.c "$SCRATCH/first"
dpcc -S ok.dpc -o -
verdict "-S -o - prints the same" all 'status_is 0' "same '$SCRATCH/out' '$SCRATCH/first'"
dpcc -S ok.dpc -o sub/x.c
verdict "-S -o FILE writes the same" all 'status_is 0' "same sub/x.c '$SCRATCH/first'" "files_are 'ok.dpc sub sub/below.dpc sub/x.c wrong.dpc'"
rm -f sub/x.c
dpcc -S sub/below.dpc
verdict "-S writes into the current directory" files_are "below.c $S"
rm -f below.c
dpcc -S ok.dpc sub/below.dpc
verdict "-S with two inputs" files_are "below.c ok.c $S"
rm -f below.c ok.c
dpcc -c ok.dpc
verdict "-c writes ok.o" all 'status_is 0' silent "files_are 'ok.dpc ok.o sub sub/below.dpc wrong.dpc'"
dpcc --serial ok.dpc -c -o sub/s.o && cc sub/s.o -o prog
verdict "--serial -c -o FILE" all 'status_is 0' '[ "$(./prog)" = hello ]'
rm -f ok.o sub/s.o prog
dpcc --serial ok.dpc
verdict "a.out" all 'status_is 0' silent '[ "$(./a.out)" = hello ]' "files_are 'a.out $S'"
rm -f a.out
dpcc --serial ok.dpc -o prog
verdict "-o FILE" all 'status_is 0' '[ "$(./prog)" = hello ]'
rm -f prog
dpcc -E ok.dpc
verdict "-E prints" all 'status_is 0' 'prints_like "int main"' "files_are '$S'"
dpcc -E ok.dpc -o sub/e
verdict "-E -o FILE" all 'status_is 0' 'prints ""' "grep -q 'int main' sub/e"
rm -f sub/e

# Failures leave no file and replace none.
OLD="old: Translated by dpcc from ok.dpc" # which -S may replace
echo "$OLD" >ok.c && cp ok.c wrong.c && cp ok.c a.out && cp ok.c wrong.o
for options in "-S" "-c" "" "-S -o ok.c" "-o a.out" "--serial" "--run"; do
    # shellcheck disable=SC2086 # words
    dpcc $options wrong.dpc
    verdict "wrong source with '$options'" all 'status_is 1' 'says "wrong.dpc:1:[0-9]*: error: "' 'prints ""' \
        "files_are 'a.out ok.c ok.dpc sub sub/below.dpc wrong.c wrong.dpc wrong.o'" \
        '[ "$(cat ok.c wrong.c a.out wrong.o | sort -u)" = "$OLD" ]'
done
dpcc -S ok.dpc wrong.dpc
verdict "one of two is wrong" all 'status_is 1' '[ "$(cat ok.c)" = "$OLD" ]'
dpcc -S ok.dpc
verdict "a good one replaces" same ok.c "$SCRATCH/first"
rm -f ok.c wrong.c a.out wrong.o

dpcc -S ok.dpc -o /dev/null
verdict "-o /dev/null" all 'status_is 0' '[ -c /dev/null ]'
echo old >target && ln -s target link
dpcc -S ok.dpc -o link
verdict "a link stays a link" all 'status_is 0' '[ -L link ]' "same target '$SCRATCH/first'"
rm -f link target
dpcc_to /dev/full -S ok.dpc -o -
verdict "full standard output" all 'status_is 3' 'says "No space left"'
dpcc -S ok.dpc -o /dev/full
verdict "full file" all 'status_is 3' 'says "No space left"'
dpcc --serial -c ok.dpc -o /dev/full
verdict "full file, an object" all 'status_is 3' 'says "No space left"'
for words in -E --dump=ast --explain --help --version; do
    dpcc_to /dev/full $words ok.dpc
    verdict "full standard output, $words" all 'status_is 3' 'says "cannot write .*No space left"'
done
mkdir taken
dpcc -S ok.dpc -o taken
verdict "a directory as output" all 'status_is 3' 'says "Is a directory"' 'rmdir taken'
for words in "-S -o -" --explain --version; do
    STATUS=0
    # shellcheck disable=SC2086 # words
    "$DPCC" $words ok.dpc 2>"$SCRATCH/err" >&- || STATUS=$?
    verdict "closed standard output, $words" all 'status_is 3' 'says "Bad file descriptor"'
done
STATUS=0
"$DPCC" --serial wrong.dpc -o prog <&- >&- 2>&- || STATUS=$?
verdict "closed standard streams, wrong source" all 'status_is 1' '[ ! -e prog ]'
"$DPCC" --serial ok.dpc -o prog <&- >&- 2>&- || STATUS=$?
verdict "closed standard streams" all '[ "$(./prog)" = hello ]' 'rm prog'
verdict "nothing else was written" files_are "$S"

# No line of made text is longer than 120 columns, and a head that is broken keeps the brace of its block.
for width in 1 2 12; do
    printf 'int main(void) {\n  int n = 40;\n  double A[n], B[n];\n#pragma dpc distribute A(block), B(block)\n  A[:] = 1; B[:] = 0;
  for (int k = -%d; k <= 2; k++) forall (i = 0:n-1, i+k >= 0 && i+k < n) B[i] += A[i+k];\n  return B[0] != 0;\n}\n' $width >long.dpc
    dpcc -S long.dpc -o long.c
    verdict "lines of width $width" all 'status_is 0' "grep -q 'DPC_BOXES' long.c" '! grep -q ".\{121\}" long.c' \
        '! grep -A1 "DPC_BOXES.*)$" long.c | grep -q "^ *{$"'
done
rm -f long.dpc long.c
