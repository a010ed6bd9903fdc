# Regression suites: what --test says of programs that pass, fail, hang and are refused; --update; what is left of it.
# shellcheck shell=bash disable=SC2016,SC2034
mkdir tmp suite hang empty refused fixed
export TMPDIR=$PWD/tmp
for kind in smpi $MPIS; do has_mpi "$kind" && break; done
MPICC=$(mpicc_of "$kind")
export MPICC
points() { sed -n 's/^\(ok\|not ok\) \([0-9]*\) - \(.*\)/\1 \2 \3/p' "$SCRATCH/out"; }
points_are() { diff <(printf '%s\n' "$@") <(points); }
explained() { grep -qF -e "$1" "$SCRATCH/out" || { echo "not explained: $1"; return 1; }; }

# A sum over the numbers on standard input, which also leaves a file where the next run would find it.
cat >suite/passes.dpc <<'C'
#include <stdio.h>
#define N 12
double A[N];
#pragma dpc distribute A(block)
int main(void) {
    int n = 0;
    FILE *file = fopen("left", "r");
    if (file || scanf("%d", &n) != 1) return 9;
    forall (i = 0:N-1) A[i] = i * n;
    printf("%g %d\n", sum(i = 0:N-1, A[i]), VALUE);
    file = fopen("left", "w"); /* all have looked for it: the sum needs them */
    if (file) fclose(file);
    return 5;
}
C
echo 3 >suite/passes.in
echo 5 >suite/passes.status
echo -DVALUE=7 >suite/passes.flags
echo '198 7' >suite/passes.out
printf '#include <stdio.h>\nint main(void) { puts("one"); return 0; }\n' >suite/output.dpc
echo two >suite/output.out
printf 'int main(void) { return 4; }\n' >suite/status.dpc
printf '#include <unistd.h>\nint main(void) { return write(1, "all\\n", 4) != 4; }\n' >suite/processes.dpc
printf 'int main(void) { return missing; }\n' >suite/refused.dpc
echo "refused.dpc:1:25: error: 'missing'" >suite/refused.error
printf 'int main(void) { return 0; }\n' >suite/surprise.dpc
echo "error: nothing" >suite/surprise.error
printf 'int main(void) { return 0; }\n' >suite/needs.dpc
echo no-such-package >suite/needs.needs

dpcc --test -O0 -n 3 -j 2 suite/
verdict "the suite" all 'status_is 1' silent 'points_are "ok 1 suite/needs # SKIP no-such-package is not installed" \
    "not ok 2 suite/output: serial, 3 processes" "ok 3 suite/passes: serial, 3 processes" \
    "not ok 4 suite/processes: serial, 3 processes" "ok 5 suite/refused: refused" "not ok 6 suite/status: serial, 3 processes" \
    "not ok 7 suite/surprise: refused"'
verdict "a plan, and the number of failures" all '[ "$(head -n 2 "$SCRATCH/out")" = "TAP version 13
1..7" ]' 'explained "# 2 passed, 4 failed, 1 skipped"' '! grep -v "^#\|^ok \|^not ok \|^1\.\.\|^TAP " "$SCRATCH/out"'
verdict "another output" all 'explained "# run with --serial: standard output differs from suite/output.out"' 'explained "#   -two"' 'explained "#   +one"' \
    'explained "# run on 3 processes: standard output differs from suite/output.out"' \
    'explained "# again: MPICC=$MPICC dpcc --run -n 3 suite/output.dpc -O0"'
verdict "more output on more processes" all 'explained "# run on 3 processes: standard output differs from that with --serial"' 'explained "#   +all"'
verdict "another status" explained "# run with --serial: exit status 4, not 0"
verdict "a program that should be refused" explained "# translation: exit status 0, not 1 as 'suite/surprise.error' wants"
verdict "nothing is left" [ -z "$(ls -A tmp)" ]
if command -v prove >/dev/null; then
    cp "$SCRATCH/out" all.tap
    prove --exec cat all.tap >"$SCRATCH/out" 2>&1
    verdict "prove reads it" all 'prints_like "Failed 4/7 subtests"' '! grep -qi "parse error" "$SCRATCH/out"'
fi

# --update: what is printed, and what is said, if something was to be said or nothing is known.
echo other >suite/refused.error
cp suite/refused.dpc refused/new.dpc
dpcc --test --update -O0 --serial suite/output.dpc suite/refused.dpc refused
verdict "--update" all 'status_is 0' 'explained "# written: suite/output.out"' 'explained "#   +one"' 'explained "# written: refused/new.error, which is new"' '[ "$(cat suite/output.out)" = one ]' 'grep -q "^refused.dpc:1:25: error: .missing" suite/refused.error' \
    'grep -q "^new.dpc:1:25: error: " refused/new.error' '[ "$(ls refused)" = "new.dpc
new.error" ]'
sed -i s/missing/gone/ suite/refused.dpc
cp suite/refused.dpc suite/passes.dpc
dpcc --test --serial suite/refused.dpc
verdict "another diagnostic" all 'status_is 1' 'explained "# translation: not said: refused.dpc:1:25: error: "'
dpcc --test --update --serial suite/passes.dpc
verdict "a program that printed is not taken for one that is refused" all 'status_is 1' '[ "$(cat suite/passes.out)" = "198 7" ]' '[ ! -e suite/passes.error ]' \
    'explained "# translation with --serial: exit status 1"'
# Standard error: a file that exists is written anew, none is made, and one of a program that fails is its author's.
mkdir said
printf '#include <stdio.h>\nint main(void) { fprintf(stderr, "a word\\n"); return 0; }\n' >said/known.dpc
cp said/known.dpc said/unknown.dpc
sed 's/return 0/return 3/' said/known.dpc >said/fails.dpc
echo old >said/known.err
echo word >said/fails.err
echo 3 >said/fails.status
dpcc --test --update -O0 -n 2 said
verdict "--update of standard error" all 'status_is 0' '[ "$(cat said/known.err)" = "a word" ]' '[ "$(cat said/fails.err)" = word ]' '[ ! -e said/unknown.err ]'

dpcc --test --update -O0 -n 2 said
verdict "--update where nothing is new" all 'status_is 0' '! explained "written"'

# Arguments of a program
mkdir arguments
printf '#include <stdio.h>\nint main(int argc, char **argv) { printf("%%d %%s\\n", argc, argv[argc - 1]); return argc == 1; }\n' >arguments/two.dpc
echo '3 -x' | tee arguments/two.args >arguments/two.out
dpcc --test -O0 -n 2 arguments
verdict "NAME.args" all 'status_is 0' 'points_are "ok 1 arguments/two: serial, 2 processes"'
echo >>arguments/two.out
dpcc --test -O0 -n 2 arguments/two.dpc
verdict "and the command that does it again" explained "dpcc --run -n 2 arguments/two.dpc -O0 -- 3 -x"

# --strict: what is said counts.
mkdir strict
printf 'int main(int c, char **v) { return c > 5 ? v : 0; }\n' >strict/warning.dpc
printf '#include <stdio.h>\nint main(void) { fprintf(stderr, "%%d\\n", dpc_nprocs() > 1); return 0; }\n' >strict/said.dpc
cp strict/said.dpc strict/wanted.dpc
printf '#include <stdio.h>\nint main(void) { fprintf(stderr, "one\\n"); return 0; }\n' >strict/alike.dpc
printf 'int main(void) { return one + two; }\n' >strict/errors.dpc
echo "errors.dpc:1:25: error: 'one'" >strict/errors.error
dpcc --test -O0 -n 2 strict
verdict "without --strict" all 'status_is 0' 'explained "# 5 passed, 0 failed"'
echo 0 >strict/wanted.err
dpcc --test --strict -O0 -n 2 strict
verdict "--strict" all 'status_is 1' 'points_are "ok 1 strict/alike: serial, 2 processes" "not ok 2 strict/errors: refused" "not ok 3 strict/said: serial, 2 processes" \
    "not ok 4 strict/wanted: serial, 2 processes" "not ok 5 strict/warning: serial, 2 processes"' 'explained "2 errors, and '\''strict/errors.error'\'' has 1"' \
    'explained "run on 2 processes: standard error differs from that with --serial (--strict)"' 'explained "run on 2 processes: standard error differs from strict/wanted.err"' \
    'explained "translation with --serial: it says something (--strict)"'
fails_with 2 "are for --test" --strict strict/said.dpc

# One that has a number of processes of its own, and one that hangs.
printf 'int main(void) { return 0; }\n' >fixed/fixed.dpc
echo --np=2 >fixed/fixed.flags
echo 9 >fixed/few.np
cp fixed/fixed.dpc fixed/few.dpc
dpcc --test -O0 -n 3 fixed
verdict "numbers of processes" all 'status_is 0' 'points_are "ok 1 fixed/few: serial" "ok 2 fixed/fixed: serial, 2 processes"'
printf '#include <poll.h>\n#include <signal.h>\nint main(void) { poll(0, 0, 60000); return 0; }\n' >hang/hang.dpc
dpcc --test --serial -O0 --timeout=3 hang
verdict "a program that hangs" all 'status_is 1' 'explained "not finished after 3 s (--timeout)"' '[ -z "$(ls -A tmp)" ]'
printf '#include <stdio.h>\nint main(void) { for (;;) puts("again and again and again and again and again and again"); }\n' >hang/prints.dpc
dpcc --test --serial -O0 hang/prints.dpc
verdict "a program that prints on and on" all 'status_is 1' 'explained "it prints more than 64 MiB"' '[ -z "$(ls -A tmp)" ]'

# The project's own programs are suites (run_programs, run_errors): several at once.
dpcc --test --strict -O0 -Wno-element-loops -Wno-whole-copies -Wno-colliding-updates -n 1,4 "$ROOT"/examples/{life,csr,transpose}.dpc
verdict "the project's own" all 'status_is 0' 'explained ", 0 failed"'

# A signal ends all.
programs() { grep -las -e "$TMPDIR/" /proc/[0-9]*/cmdline; }
none_left() {
    local waited=0
    while [ -n "$(programs; ls -A tmp)" ]; do
        [ $((waited++)) -lt 100 ] || { echo "left: $(programs; ls -A tmp)"; return 1; }
        sleep 0.1
    done
}
for signal in TERM KILL; do
    "$DPCC" --test --serial -O0 hang/hang.dpc >"$SCRATCH/out" 2>"$SCRATCH/err" &
    pid=$! waited=0
    until grep -lasq '/serial' /proc/[0-9]*/cmdline && [ -n "$(find tmp -name serial-output)" ] || [ $((waited++)) = 200 ]; do sleep 0.05; done
    kill -$signal $pid
    STATUS=0
    wait $pid || STATUS=$?
    verdict "SIG$signal" all "status_is $((128 + $(kill -l $signal)))" '[ -n "$pid" ]' none_left '! grep -q "^ok" "$SCRATCH/out"'
done

mkdir stubborn
printf '#include <signal.h>\n#include <unistd.h>\nint main(void) { signal(SIGTERM, SIG_IGN); while (dpc_nprocs() > 1) sleep(1); return 0; }\n' >stubborn/stubborn.dpc
dpcc --test -O0 -n 2 --timeout=10 stubborn
verdict "a program that ignores signals" all 'status_is 1' 'explained "# run on 2 processes: not finished after 10 s"' none_left

# What cannot be meant.
echo many >fixed/few.status
fails_with 3 "'fixed/few.status' has to be a number from 0 to 255" --test --serial fixed
fails_with 2 "there is no test in 'empty'" --test --serial empty
fails_with 3 "cannot read 'nowhere'" --test --serial nowhere
fails_with 2 "'suite/passes.in' is neither a directory nor a .dpc file" --test --serial suite/passes.in
touch suite/refused.out
fails_with 3 "there are 'suite/refused.out' and 'suite/refused.error'" --test --serial suite
fails_with 2 "--test needs a directory" --test
fails_with 2 "no option that stops earlier" --test -S suite
fails_with 2 "are for --test" -j 2 suite/status.dpc
fails_with 2 "takes several numbers with --simulate and --test only" --run -n 1,2 suite/status.dpc
fails_with 2 "takes a number of processes, 1 or more, not ''" --test -n 1, suite
fails_with 2 "takes a number from 1 to 256, not '0'" --test -j 0 suite
fails_with 2 "stands before it" suite/status.dpc --test suite

# ---- Standard error, and a program that calls MPI itself
mkdir errors && cd errors || exit 1
printf '#include <stdio.h>\nint main(void) { fputs("one\\n", stderr); return 0; }\n' | tee good.dpc >bad.dpc
echo one >good.err
echo ones >bad.err
printf '#include <stdio.h>\nint main(void) { fputs("no such thing: 7\\n", stderr); return 1; }\n' | tee ends.dpc >other.dpc
echo 1 | tee ends.status >other.status
echo "no such thing" >ends.err
echo "no such thing: 8" >other.err
cd .. || exit 1
dpcc --test -O0 -n 2 errors
verdict "NAME.err" all 'status_is 1' 'points_are "not ok 1 errors/bad: serial, 2 processes" "ok 2 errors/ends: serial, 2 processes" "ok 3 errors/good: serial, 2 processes" \
    "not ok 4 errors/other: serial, 2 processes"' 'explained "standard error differs from errors/bad.err"' 'explained "not said on standard error: no such thing: 8"'
mkdir own
cat >own/mpi.dpc <<'C'
#include <mpi.h>
#include <stdio.h>
double A[4];
#pragma dpc distribute A(block)
int main(int argc, char **argv) {
    int ready, one = 1, all = 0;
    MPI_Initialized(&ready);
    if (!ready) MPI_Init(&argc, &argv);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    A[:] = all;
    printf("%g\n", sum(A[:]));
    if (!ready) MPI_Finalize();
    return 0;
}
C
for kind in $MPIS; do
    MPICC=$(mpicc_of "$kind") dpcc --test -O0 -n 2 own
    verdict "$kind: a program that calls MPI" all 'status_is 0' 'points_are "ok 1 own/mpi: serial, 2 processes"'
    MPICC=$(mpicc_of "$kind") dpcc --serial --run own/mpi.dpc
    verdict "$kind: the same with --serial" all 'status_is 0' 'prints 4'
done
