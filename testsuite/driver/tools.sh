# The tools it runs: which, with what, and what becomes of their failures.
# shellcheck shell=bash disable=SC2016,SC2034
cat >ok.dpc <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
    printf("%d", VALUE);
    for (int i = 1; i < argc; i++) printf(" [%s]", argv[i]);
    printf("\n");
    return argc - 1;
}
C
echo 'int helper(void); int main(void) { return helper(); }' >calls.dpc
echo 'int helper(void) { return VALUE; }' >helper.c
printf '#include <math.h>\n#include <stdio.h>\nint main(int n, char **v) { printf("%%g\\n", sqrt(3.0 + n)); return v == 0; }\n' >root.dpc
printf '#define VALUE 9\n' >value.h
cp ok.dpc ok2.dpc
cat >faults.dpc <<'C'
#include <assert.h>
double A[10];
#pragma dpc distribute A(block)
struct p { int x; };
int main(void)
{
    struct p q = {FAULT};
    A[:] = 1;
    forall (i = 0:9)
        A[i] = sum(j = 0:9, A[j] + i) + q.MEMBER;
    if (A[0] > 0)
        assert(q.x == 3);
    return 0;
}
C
FILES=$(find . -mindepth 1 | sort)

for kind in $MPIS; do
    MPICC=$(mpicc_of "$kind") dpcc --run -n 3 -DVALUE=4 ok.dpc
    verdict "--run with $kind" all 'status_is 0' 'prints 4' silent
    MPICC=$(mpicc_of "$kind") dpcc --run -n 2 -DVALUE=4 ok.dpc -- a "b  c'd" '*'
    verdict "--run with $kind, arguments and exit status" all 'status_is 3' 'prints "4 [a] [b  c'"'"'d] [*]"'
    MPICC="$(mpicc_of "$kind") -DVALUE=6" dpcc --run -n 2 ok.dpc
    verdict "MPICC with options, $kind" all 'status_is 0' 'prints 6'
done
dpcc --run --serial -DVALUE=4 ok.dpc -- 'x y'
verdict "--run --serial" all 'status_is 1' 'prints "4 [x y]"' silent
dpcc --run --serial -D VALUE=5 ok.dpc
verdict "-D and its value in two words" all 'status_is 0' 'prints 5'
dpcc --run --serial -DVALUE=5 -U VALUE -DVALUE=7 ok.dpc
verdict "-U" all 'status_is 0' 'prints 7'
dpcc --run --serial -include value.h ok.dpc
verdict "-include" all 'status_is 0' 'prints 9'
dpcc --run --serial root.dpc -lm
verdict "-lm" all 'status_is 0' 'prints 2'
dpcc --run -n 2 -O0 -g -Wall -std=c11 -fno-strict-aliasing -m64 -pthread -Wl,--as-needed root.dpc
verdict "options for the C compiler" all 'status_is 0' 'prints 2'
dpcc --run -n 2 calls.dpc helper.c -DVALUE=3
verdict "a .c file beside" all 'status_is 3' silent
dpcc -c helper.c -DVALUE=5 -o helper.o
dpcc --run --serial calls.dpc helper.o
verdict "an object beside" status_is 5
ar rcs libhelper.a helper.o
dpcc --run --serial calls.dpc -L. -lhelper
verdict "a library beside" status_is 5
rm -f helper.o libhelper.a

cat >macros.dpc <<'C'
#include <stdio.h>
int main(void)
{
    printf("%ld", __STDC_VERSION__);
#ifdef _OPENMP
    printf(" threads");
#endif
#ifdef __OPTIMIZE__
    printf(" optimised");
#endif
#ifdef linux
    printf(" gnu");
#endif
    return 0;
}
C
dpcc --run --serial macros.dpc
verdict "macros of the default options" prints "201112 optimised gnu"
dpcc --run --serial -O0 -std=c99 -fopenmp macros.dpc
verdict "macros of the compiler's options" prints "199901 threads"
rm -f macros.dpc
printf '%%:define VALUE 9\n' >digraph.h
dpcc --run --serial -include digraph.h ok.dpc
verdict "a header's directive that begins with a digraph" all 'status_is 1' 'says "digraph.h:1:1: error: "'
rm -f digraph.h

dpcc faults.dpc -DMEMBER=absent -DFAULT='"text"'
verdict "the C compiler finds faults" all 'status_is 1' 'says "^faults.dpc:7:19: warning"' 'says "^faults.dpc:9:.*no member"' 'says "^help: what the C compiler says stands above"' '[ ! -e a.out ]'
dpcc --serial -c faults.dpc -DMEMBER=absent -DFAULT=3
verdict "the C compiler finds faults, --serial" all 'status_is 1' 'says "^faults.dpc:9:.*no member"' '[ ! -e faults.o ]'
dpcc --run --serial faults.dpc -DMEMBER=x -DFAULT=4 -Wall -Wextra -Werror
verdict "assert names the line" says "faults.dpc:12: main: Assertion"
cat >asserts.dpc <<'C'
#include <assert.h>
double A[10];
#pragma dpc distribute A(block)
int main(int argc, char **argv) {
    A[:] = argc;
    assert(argc > 0 && argv);
    if (argc > 1) assert(all(A[:] > 5) && "all");
    assert(A[3] < 1 ? A[2] : 0);
    return argv == 0;
}
C
for mode in --serial -n2; do
    dpcc --run -O0 -Wall -Wextra -Werror $mode asserts.dpc -- again
    verdict "an assertion shows the source's expression, $mode" all fails 'says "asserts.dpc:7: main: Assertion .*all(A\[:\] > 5) && .*all.*failed"'
    dpcc --run -O0 -Wall -Wextra -Werror $mode asserts.dpc
    verdict "an assertion shows the elements that the source has, $mode" all fails 'says "asserts.dpc:8: main: Assertion .*A\[3\] < 1 ? A\[2\] : 0.* failed"'
    dpcc --run -O0 -Wall -Wextra -Werror -DNDEBUG $mode asserts.dpc -- again
    verdict "no assertions, $mode" all 'status_is 0' silent
done
rm -f asserts.dpc
dpcc -S faults.dpc -DMEMBER=x -DFAULT=4 -o -
verdict "-S writes no #line" all 'status_is 0' '! grep -q "#line" "$SCRATCH/out"'
dpcc -c calls.dpc -fno-such-option=3 -o /dev/null
verdict "the C compiler refuses an option" status_is 1
dpcc --run calls.dpc
verdict "the linker fails" all 'status_is 3' 'says "helper"' 'says "dpcc: error"' 'says "^help: .*-l and -L name libraries"'
dpcc calls.dpc -o prog
verdict "the linker fails: no program" all 'status_is 3' '[ ! -e prog ]'
MPICC=/absent/mpicc dpcc --run ok.dpc -DVALUE=1
verdict "no MPICC" all 'status_is 3' 'says "/absent/mpicc"' 'says "^help: MPICC names"'
MPICC=cc dpcc ok.dpc -DVALUE=1
verdict "MPICC without MPI" all 'status_is 3' '[ ! -e a.out ]'
MPIRUN=/absent/mpirun dpcc --run ok.dpc -DVALUE=1
verdict "no MPIRUN" all 'status_is 3' 'says "/absent/mpirun"'
MPIRUN='env SHOWN=1 echo with words' dpcc --run -n 5 ok.dpc -DVALUE=1
verdict "MPIRUN with words" all 'status_is 0' 'prints_like "^with words -n 5 "'
CC=/absent/cc dpcc --serial ok.dpc -DVALUE=1
verdict "no CC" all 'status_is 3' 'says "/absent/cc"' 'says "^help: CC names .*gcc"'
mkdir 'a b' && ln -s "$(command -v cc)" 'a b/cc'
CC="$PWD/a b/cc" dpcc --run --serial ok.dpc -DVALUE=1
verdict "a blank in the path of CC" all 'status_is 0' 'prints 1'
odd="$PWD/a b/it's "'"$odd"'
mkdir "$odd" $'a b/two\nlines' && cp value.h 'a b/v "1".h'
for kind in $MPIS; do
    ln -sf "$(command -v "$(mpicc_of "$kind")")" 'a b'
    MPICC="$PWD/a b/$(basename "$(mpicc_of "$kind")")" dpcc --run -O0 -n 2 ok.dpc -DVALUE=1
    verdict "a blank in the path of MPICC, $kind" all 'status_is 0' 'prints 1'
    for directory in "$odd" $'a b/two\nlines'; do
        TMPDIR=$directory MPICC=$(mpicc_of "$kind") dpcc --run -O0 -n 2 '-DVALUE=(int)sizeof "a b"' ok.dpc -- 'x  y'
        verdict "TMPDIR=$directory, $kind" all 'status_is 1' 'prints "4 [x  y]"' '[ -z "$(ls -A "$directory")" ]'
    done
    MPICC=$(mpicc_of "$kind") dpcc -O0 ok.dpc -Ia\ b -include 'a b/v "1".h' -o 'a b/out "1"'
    verdict "blanks in the names of what it reads and writes, $kind" all 'status_is 0' '[ -x "a b/out \"1\"" ]'
    rm -f 'a b/out "1"'
done
printf '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(getenv("TMPDIR")); return 0; }\n' >tmpdir.dpc
has_mpi smpi && TMPDIR='a b' MPICC=smpicc dpcc --run -n 2 tmpdir.dpc
has_mpi smpi && verdict "smpi, the program's TMPDIR" prints 'a b'
cp ok.dpc $'a b/two\nlines/ok.dpc'
fails_with 2 "has more than one line" -S $'a b/two\nlines/ok.dpc'
fails_with 2 "has more than one line" -S ok.dpc -I $'a b/two\nlines'
rm -rf 'a b' tmpdir.dpc
TMPDIR=/absent dpcc --serial --run ok.dpc -DVALUE=1
verdict "no TMPDIR" status_is 3

# Names that the C compiler could take for something else.
echo -DVALUE=8 >@ok.dpc
dpcc -S -o - @ok.dpc
verdict "no file of options" all 'status_is 1' 'says "^./@ok.dpc:1:"'
cp ok.dpc @ok.dpc && cp ok.dpc ./-ok.dpc && mkdir @inc && cp value.h @inc/v.h
sed 's/VALUE/V/; 1i #include "v.h"\n#define V VALUE' ok.dpc >'of a "$1\".dpc'
dpcc --run --serial -DVALUE=4 @ok.dpc
verdict "a name that begins with @" all 'status_is 0' 'prints 4'
dpcc --serial -DVALUE=4 -c -o @ok.o @ok.dpc
verdict "an object whose name begins with @" all 'status_is 0' '[ -s @ok.o ]'
dpcc --serial -DVALUE=4 -o @out -- -ok.dpc
verdict "names that begin with - and @" all 'status_is 0' '[ "$(./@out)" = 4 ]'
dpcc --run --serial -iquote @inc 'of a "$1\".dpc'
verdict "blanks, quotes, a backslash and $ in a name" all 'status_is 0' 'prints 9'
printf '#include <stdio.h>\nint main(void) { puts(__FILE__); return 0; }\n' >'of a "$1\".dpc'
dpcc --run --serial 'of a "$1\".dpc'
verdict "__FILE__ of such a name" prints 'of a "$1\".dpc'
dpcc --run --serial -DVALUE=4 - <ok.dpc
verdict "standard input" all 'status_is 0' 'prints 4'
mkfifo pipe.dpc && { cat ok.dpc >pipe.dpc & }
dpcc --run --serial -DVALUE=4 pipe.dpc
verdict "a pipe" all 'status_is 0' 'prints 4'
rm -rf @* ./-ok.dpc of* pipe.dpc

# A serial program with extrinsic functions: its process is the only one, simulated or not.
for kind in smpi $MPIS; do
    has_mpi "$kind" || continue
    MPICC=$(mpicc_of "$kind") dpcc --serial --run -O0 "$ROOT/examples/extrinsic.dpc"
    verdict "--serial with extrinsic functions, $kind" all 'status_is 0' 'prints_like "^least at 327, greatest at 901"' silent
done

# A tool that a signal ends.
printf '#!/bin/sh\ncase " $* " in *" $STOP "*) kill -KILL $$ ;; esac\nexec cc "$@"\n' >killed-cc
chmod +x killed-cc
for stop in -E -c -lm; do
    STOP=$stop CC=$PWD/killed-cc dpcc --serial -DVALUE=1 ok.dpc
    verdict "the C compiler is killed, $stop" all 'status_is 3' 'says "was ended by signal 9"' 'says "^help: .*memory"' '[ ! -e a.out ]'
done
rm -f killed-cc

printf '#!/bin/sh\nkill -SEGV $$\n' >killed-mpirun
printf '#include <signal.h>\nint main(int n, char **v) { return raise(n > 1 ? SIGTERM : SIGSEGV) + (v == 0); }\n' >raises.dpc
chmod +x killed-mpirun
MPIRUN=$PWD/killed-mpirun dpcc --run -O0 -n 2 ok.dpc -DVALUE=1
verdict "mpirun is killed" all 'status_is 139' 'says "killed-mpirun was ended by signal 11"'
dpcc --run --serial -O0 raises.dpc
verdict "the program is killed" all 'status_is 139' 'says "^dpcc: the program was ended by signal 11"' 'says "^help: --check=all"'
dpcc --run --serial -O0 raises.dpc -- on
verdict "the program is told to end" all 'status_is 143' silent
MPIRUN=$PWD/ok.dpc dpcc --run -O0 -n 2 ok.dpc -DVALUE=1
verdict "MPIRUN names no program" all 'status_is 3' 'says "ok.dpc. is no program that may be executed"' 'says "^help: MPIRUN names"'
rm -f killed-mpirun raises.dpc

printf '#!/bin/sh\necho "cc: internal compiler error" >&2\nexit 4\n' >broken-cc
chmod +x broken-cc
CC=$PWD/broken-cc dpcc --serial -S ok.dpc -DVALUE=1 -o -
verdict "a compiler with a fault of its own" all 'status_is 3' 'says "^cc: internal compiler error"' 'says "broken-cc. failed with exit status 4"' 'says "^help: "' 'prints ""'
rm -f broken-cc
for options in "-S --standalone" "--report=long.html"; do
    # shellcheck disable=SC2086 # several options
    STATUS=0 && (ulimit -f 1 && exec "$DPCC" $options ok.dpc -DVALUE=1 >"$SCRATCH/out" 2>"$SCRATCH/err") || STATUS=$?
    verdict "files may not be long, $options" all 'status_is 3' 'says "^dpcc: error: cannot write .*: File too large"' 'says "^help: ulimit -f"' '[ -z "$(find . -name "*dpcc.*")" ]' '[ ! -e long.html ]'
done
STATUS=0 && (ulimit -n 6 && exec "$DPCC" -S ok.dpc -DVALUE=1 -o - >"$SCRATCH/out" 2>"$SCRATCH/err") || STATUS=$?
verdict "few files may be open" all 'status_is 3' 'says "too many open files"' 'says "^help: ulimit -n"'

# A full disk: no source is blamed, and nothing stays. A directory of its own is mounted where that is allowed.
cat >full.sh <<'S'
mkdir full && mount -t tmpfs -o size=16k tmpfs full && cp ok.dpc full && cd full || exit 90
head -c 100000 /dev/zero >rest 2>"$SCRATCH/filled"
timeout -k 5 "$LIMIT" "$DPCC" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err"
status=$?
[ "$(find . -mindepth 1 | sort | tr '\n' ' ')" = "./ok.dpc ./rest " ] || exit 91
exit $status
S
export SCRATCH LIMIT DPCC
if unshare -rm mount -t tmpfs tmpfs /mnt 2>"$SCRATCH/refused"; then
    for options in "-c" "" "-MM -MF rule" "-c -MMD" "-S" "--serial -c" "--report=page.html"; do
        # shellcheck disable=SC2086 # several options
        STATUS=0 && unshare -rm sh full.sh $options ok.dpc -DVALUE=1 -O0 || STATUS=$?
        rmdir full
        verdict "a full disk, $options" all 'status_is 3' 'says "[Nn]o space"' 'says "^help: make room"'
    done
fi
rm -f full.sh

dpcc --time -S ok.dpc -DVALUE=1 -o /dev/null
verdict "--time" all 'status_is 0' 'says "^preprocess  *[0-9.]* s$"' 'says "^parse "' 'says "^emit "' 'says "^total "'
for stage in tokens ast ir plan; do
    dpcc "--dump=$stage" ok.dpc -DVALUE=1
    verdict "--dump=$stage" all 'status_is 0' silent "[ ! -e ok.c ]"
done
verdict "no file is left" test "$(find . -mindepth 1 | sort)" = "$FILES"

# gcc's passes over whole functions, whose time grows with the square of their length, are left out where one is long
"$ROOT/bench/translation/source" foralls 200 >long.dpc
"$ROOT/bench/translation/source" foralls 20 >short.dpc
printf '#!/bin/sh\nexec "%s" "$@" -O0\n' "$(mpicc_of "${MPIS%% *}")" >quick-mpicc
chmod +x quick-mpicc
for length in long short; do
    export MPICC=$PWD/quick-mpicc
    dpcc -v -c "$length.dpc"
    unset MPICC
    if [ "$length" = long ]; then
        verdict "a long function is compiled without gcse" all 'status_is 0' 'says fno-gcse-after-reload'
    else
        verdict "a short one is not" all 'status_is 0' '! says fno-gcse'
    fi
done
