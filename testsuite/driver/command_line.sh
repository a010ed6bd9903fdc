# Wrong command lines: exit status 2 and a hint. Missing files: 3. Nothing is written.
# shellcheck shell=bash disable=SC2016
echo 'int main(void) { return 0; }' >ok.dpc
cp ok.dpc ok.c
mkdir folder.dpc other
cp ok.dpc other/ok.dpc
cp ok.dpc program.txt
BEFORE="folder.dpc ok.c ok.dpc other other/ok.dpc program.txt"

fails_with 2 "no input file"
fails_with 2 "no input file" -S
fails_with 2 "no input file" -lm
fails_with 2 "unknown option '--seriel'" --seriel ok.dpc
fails_with 2 "did you mean '--serial'" --seriel ok.dpc
fails_with 2 "dpcc --help" --nothing-like-it ok.dpc
fails_with 2 "unknown option '-Z'" -Z ok.dpc
fails_with 2 "takes no value" --serial=yes ok.dpc
fails_with 2 "needs a value" ok.dpc -o
fails_with 2 "needs a file name" -o '' ok.dpc
fails_with 2 "needs a value" ok.dpc --np
for number in 0 -1 x 4x '' 99999999999 1.5; do
    fails_with 2 "number of processes" "--np=$number" ok.dpc
    fails_with 2 "number of processes" --run -n "$number" ok.dpc
done
fails_with 2 "is for --run" -n 2 ok.dpc
fails_with 2 "unknown value 'tree' of --dump" --dump=tree ok.dpc
fails_with 2 "one of tokens, ast, ir, plan" --dump=tree ok.dpc
fails_with 2 "unknown value" --check=some ok.dpc
for value in 0 -1 3x many ''; do fails_with 2 "unknown value '$value' of --time-tiling" "--time-tiling=$value" ok.dpc; done
fails_with 2 "known suffix" program.txt
fails_with 2 "known suffix" ok
fails_with 2 "known suffix" .dpc/ok
fails_with 2 "is an input" ok.dpc -S -o ok.dpc
fails_with 2 "is an input" ok.dpc -o ./ok.dpc
fails_with 2 "is an input" ok.dpc ok.c -o ok.c
fails_with 2 "is an input" ok.dpc -S -o other/../ok.dpc
fails_with 2 "2 outputs" -c ok.dpc other/ok.dpc -o x.o
fails_with 2 "2 outputs" -S ok.dpc other/ok.dpc -o -
fails_with 2 "2 outputs" -c ok.dpc ok.c -o x.o
fails_with 2 "would both be written to 'ok.o'" -c ok.dpc other/ok.dpc
fails_with 2 "would both be written to 'ok.c'" -S ok.dpc other/ok.dpc
fails_with 2 "'ok.c' is there, and dpcc has not written it" -S ok.dpc
fails_with 2 "'ok.c' is there, and dpcc has not written it" --standalone other/ok.dpc
fails_with 2 "standard output" -c ok.dpc -o -
fails_with 2 "standard output" ok.dpc -o -
fails_with 2 "nothing to translate" -S ok.c
fails_with 2 "cannot be used" --run -c ok.dpc
fails_with 2 "cannot be used" --run -o x ok.dpc
fails_with 2 "cannot be used" --run --dump=ast ok.dpc
fails_with 3 "No such file" absent.dpc
fails_with 3 "No such file" -c absent.dpc
fails_with 3 "No such file" -S ok.dpc -o absent/ok.c
fails_with 3 "Is a directory" folder.dpc
fails_with 3 "Is a directory" -S ok.dpc -o other
if [ "$(id -u)" != 0 ]; then
    chmod 0 program.txt && mv program.txt secret.dpc
    fails_with 3 "Permission denied" secret.dpc
    mv secret.dpc program.txt
fi
verdict "nothing was written" files_are "$BEFORE"

mkdir own
printf 'double A[8];\n  # pragma dpc distribute A(block)\nint main(void) { return 0; }\n' >own/mine.c

# What helps, in the words of this command line. Each line: help | arguments.
while IFS='|' read -r help arguments; do
    # shellcheck disable=SC2086 # words
    dpcc $arguments
    verdict "$arguments: $help" all 'fails' "says \"^help: $help\$\""
done <<'T'
did you mean '--serial'?|-serial ok.dpc
did you mean '--explain'?|--explian=json ok.dpc
write --serial alone|--serial=yes ok.dpc
as in --np=N|ok.dpc --np
as in -o FILE|ok.dpc -o
as in -MF FILE|ok.dpc -MMD -MF
as in -include VALUE|ok.dpc -include
as in --np=N|--np=0 ok.dpc
as in -j N|--test -j 0 .
leave out -c, or --run|--run -c ok.dpc
leave out -S and -c, or --run|-S --run -c -o x ok.dpc
leave out --dump=ast, or --simulate=nodes=4|--simulate=nodes=4 --dump=ast ok.dpc
leave out --explain=json, or --serial|--serial --explain=json ok.dpc
leave out --explain, or --dump=ast|--dump=ast --explain ok.dpc
leave out -E, or --explain|-E --explain ok.dpc
leave out -n, or --np=2|--np=2 --simulate -n 3 ok.dpc
leave out -ffast-math, or --reproducible|--reproducible -O2 -ffast-math ok.dpc
leave out --report=x.html, or --serial|--serial --report=x.html ok.dpc
leave out -MMD, or --run|--run -MMD ok.dpc
leave out -S, or --test|--test -S .
leave out --np=3 and -c, or --calibrate|--calibrate --np=3 -c
their numbers are 0 to 3|--explain --np=4 --pair=4,0 ok.dpc
did you mean 'ok.dpc'?|okk.dpc
did you mean 'other/ok.dpc'?|other/o.dpc
a name without '/' before it begins in the current directory|nothing-like-it.dpc
make the directory: mkdir -p absent/deep|-S ok.dpc -o absent/deep/ok.c
name a file in it|ok.dpc -c -o other
name its files, as in folder.dpc/\*.dpc; --test runs all programs of a directory|folder.dpc
-o names another file|-S ok.dpc -o ok.dpc
-o NAME writes another file; -o with this name replaces it|-S ok.dpc
a name that ends with .dpc has it translated|--run -n 2 own/mine.c
a name that ends with .dpc has it translated|-c own/mine.c -o x.o
one command for each of them, with -o NAME|-c ok.dpc other/ok.dpc
leave out -S|-S ok.c
T
printf '/* #pragma dpc distribute A(block) */\nint main(void) { return 0; }\n' >own/mine.c
dpcc -c own/mine.c -o /dev/null
verdict "a directive in a comment" all 'status_is 0' silent
rm -r own
verdict "nothing was written beside help" files_are "$BEFORE"

# What dpcc has written itself, for MPI or not, or is empty, or is named, is replaced.
mkdir own && cp ok.dpc own && : >own/ok.c
for option in -S --standalone '-S --serial' '-S -o ok.c'; do
    # shellcheck disable=SC2086 # words
    (cd own && dpcc $option ok.dpc && exit "$STATUS") && STATUS=0 || STATUS=$?
    verdict "$option replaces its own text" all 'status_is 0' 'grep -q "Translated by dpcc" own/ok.c'
done
echo 'int mine;' >own/ok.c
(cd own && dpcc -S -o ok.c ok.dpc && exit "$STATUS") && STATUS=0 || STATUS=$?
verdict "-o replaces what is named" all 'status_is 0' 'grep -q "Translated by dpcc" own/ok.c'
rm -r own

dpcc --help
verdict "--help" all 'status_is 0' silent 'prints_like "--run"' '[ "$(wc -l <"$SCRATCH/out")" -le 80 ]'
dpcc --version
verdict "--version" all 'status_is 0' silent 'prints_like "^dpcc [0-9]"'
dpcc_to /dev/full --help
verdict "--help to a full disk" all 'status_is 3' 'says "^help: make room on that disk"'
verdict "nothing was written by --help" files_are "$BEFORE"

for option in -ffast-math -Ofast -ffp-contract=fast; do
    fails_with 2 "reproducible cannot be used with it" --reproducible "$option" ok.dpc
done

# nested NUMBER: a program whose parentheses are so deep.
nested() {
    echo 'long A[9];'
    echo '#pragma dpc distribute A(block)'
    echo "int main(void) { A[:] = $(printf '%*s' "$1" '' | tr ' ' '(')1$(printf '%*s' "$1" '' | tr ' ' ')'); return 0; }"
}
nested 4000 >nested.dpc
dpcc -S -o - nested.dpc
verdict "4000 parentheses" all 'status_is 0' silent
nested 400000 >nested.dpc
fails_with 1 "nested.dpc:3:[0-9]*: error: too deeply nested" -S -o - nested.dpc
# Whatever the user's limit on the stack.
echo "int main(void) { int x = 1; return x$(printf '%*s' 20000 '' | sed 's/ / + x/g') - 20001; }" >terms.dpc
for limit in 8192 100; do
    (
        ulimit -s "$limit"
        nested 4000 >nested.dpc
        dpcc -S -o - nested.dpc
        verdict "4000 parentheses, stack of $limit KiB" all 'status_is 0' silent
        dpcc -S -o - terms.dpc
        verdict "20000 terms, stack of $limit KiB" all 'status_is 0' silent
        nested 400000 >nested.dpc
        fails_with 1 "nested.dpc:3:[0-9]*: error: too deeply nested" -S -o - nested.dpc
    )
done
echo 'int main(void) { return 0; }' >./-dash.dpc
dpcc -S -o - -- -dash.dpc
verdict "a name that begins with -" all 'status_is 0' silent

# Values that are empty, and bytes that no source has.
for option in -D -U -I -L -l -include -iquote; do fails_with 2 "$option needs a value" "$option" '' ok.dpc; done
printf 'int \001x;\nint \000y;\n' >bytes.dpc
dpcc -S bytes.dpc -o -
verdict "control characters" all 'status_is 1' 'says "^bytes.dpc:1:5: error: unexpected character .\\\\x01.$"' 'says "^bytes.dpc:2:5: error: unexpected character .\\\\x00.$"'
rm bytes.dpc
