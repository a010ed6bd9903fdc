# Temporary files are removed at the end, also by a signal.
# shellcheck shell=bash disable=SC2016,SC2034
printf '#include <stdio.h>\n#include <poll.h>\nint main(void) { puts("up"); fflush(stdout); poll(0, 0, 40000); return 0; }\n' >wait.dpc
echo 'int main(void) { return 0; }' >ok.dpc
cat >slow-cc <<'SH'
#!/bin/sh
case " $* " in *" -c "*) echo up; exec sleep 40 ;; esac
exec cc "$@"
SH
chmod +x slow-cc
mkdir tmp
export TMPDIR=$PWD/tmp

# stopped_by SIGNAL NAME DPCC-ARGUMENTS...: sends the signal when the word `up` was printed.
stopped_by() {
    : >"$SCRATCH/out"
    local signal=$1 name=$2 pid waited=0
    shift 2
    "$DPCC" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" &
    pid=$!
    until grep -q up "$SCRATCH/out" || [ $((waited++)) = 200 ]; do sleep 0.05; done
    kill "-$signal" "$pid"
    wait "$pid"
    STATUS=$?
    verdict "$name: SIG$signal" all "status_is $((128 + $(kill -l "$signal")))" 'prints_like up' \
        "[ -z \"\$(ls -A tmp)\" ]" 'files_are "ok.dpc slow-cc tmp wait.dpc"'
}

set -m # or background jobs ignore SIGINT
for signal in TERM INT HUP QUIT PIPE; do
    sh -c "kill -$signal \$\$; exit 0" &
    wait $! && continue # ignored already, as by nohup
    stopped_by $signal "program" --run --serial wait.dpc
    CC=$PWD/slow-cc stopped_by $signal "compiler" --serial ok.dpc
    CC=$PWD/slow-cc stopped_by $signal "compiler, -c" --serial -c ok.dpc
done
for kind in $MPIS; do
    MPICC=$(mpicc_of "$kind") stopped_by TERM "program with $kind" --run -n 2 wait.dpc
done
dpcc --run -n 2 ok.dpc
verdict "the ordinary end" all 'status_is 0' "[ -z \"\$(ls -A tmp)\" ]"
