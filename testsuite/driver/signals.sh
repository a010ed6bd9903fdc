# Nothing is left when a signal ends dpcc, its process group or the launcher: no process, no file.
# shellcheck shell=bash disable=SC2016,SC2034
printf '#include <stdio.h>\n#include <poll.h>\nint main(void) { puts("up"); fflush(stdout); poll(0, 0, 40000); return 0; }\n' >wait.dpc
echo 'int main(void) { return 0; }' >ok.dpc
cat >slow-cc <<'SH'
#!/bin/sh
case " $* " in *" $SLOW "*) echo up >&7; exec tail -f /dev/null "$SEEN" ;; esac
exec cc "$@"
SH
chmod +x slow-cc
mkdir tmp
export TMPDIR=$PWD/tmp SEEN=$PWD/slow-cc SLOW=-c
exec 7>"$SCRATCH/up"

children_of() { # the remover is called dpcc, too
    local child
    for child in $(pgrep -P "$1"); do [ "$(cat "/proc/$child/comm")" = dpcc ] || echo "$child"; done
}
memory_of() { tr '\0' '\n' <"/proc/$1/environ" | sed -n 's/^OMPI_MCA_btl_vader_backing_directory=//p'; }
none_left() {
    local waited=0 left
    while :; do
        left=$(grep -las -e "$TMPDIR/" -e "$SEEN" /proc/[0-9]*/cmdline; ls -A tmp; [ -z "$memory" ] || ls -d "$memory" 2>/dev/null)
        [ -n "$left" ] || return 0
        [ $((waited++)) -lt 100 ] || { echo "left: $left"; return 1; }
        sleep 0.1
    done
}

# stopped_by SIGNAL WHAT NAME DPCC-ARGUMENTS...: sends the signal to dpcc, its group or the launcher when `up` was printed.
stopped_by() {
    local signal=$1 what=$2 name=$3 pid launcher waited=0 memory='' expected
    expected="status_is $((128 + $(kill -l "$signal")))"
    shift 3
    : >"$SCRATCH/out" >"$SCRATCH/up"
    "${signals[@]}" "$DPCC" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" &
    pid=$!
    until grep -qs up "$SCRATCH/out" "$SCRATCH/up" || [ $((waited++)) = 200 ]; do sleep 0.05; done
    launcher=$(children_of "$pid")
    [ -z "$launcher" ] || memory=$(memory_of "$launcher")
    case $what in
    dpcc) kill "-$signal" "$pid" ;;
    group) kill "-$signal" -- "-$pid" ;;
    launcher) kill "-$signal" "$launcher"; expected='[ $STATUS != 0 ]' ;;
    esac
    STATUS=0
    wait "$pid" || STATUS=$?
    verdict "$name: SIG$signal to $what" all "$expected" 'grep -qs up "$SCRATCH/out" "$SCRATCH/up"' none_left \
        'files_are "ok.dpc slow-cc tmp wait.dpc"'
}

set -m # a process group for each, or background jobs ignore SIGINT
# Who starts the tests in the background has them ignore SIGINT, too.
signals=(env --default-signal=INT,QUIT)
"${signals[@]}" true 2>/dev/null || signals=()
for signal in TERM INT HUP QUIT PIPE KILL; do
    sh -c "kill -$signal \$\$; exit 0" &
    wait $! && continue # ignored already, as by nohup
    stopped_by $signal dpcc "program" --run --serial wait.dpc
    CC=$PWD/slow-cc stopped_by $signal dpcc "compiler" --serial ok.dpc
    CC=$PWD/slow-cc stopped_by $signal dpcc "compiler, -c" --serial -c ok.dpc
done
SLOW=-E CC=$PWD/slow-cc stopped_by TERM dpcc "preprocessor" -S ok.dpc -o -
SLOW=-E CC=$PWD/slow-cc stopped_by KILL dpcc "preprocessor" -S ok.dpc -o -
for kind in $MPIS; do
    while read -r signal what <&3; do
        MPICC=$(mpicc_of "$kind") stopped_by "$signal" "$what" "program with $kind" --run -O0 -n 2 wait.dpc
    done 3<<'T'
TERM dpcc
KILL dpcc
INT group
KILL group
T
    # smpirun cannot tell the program's script that it was killed.
    [ "$kind" = smpi ] || MPICC=$(mpicc_of "$kind") stopped_by KILL launcher "program with $kind" --run -O0 -n 2 wait.dpc
done
dpcc --run -n 2 ok.dpc
verdict "the ordinary end" all 'status_is 0' "[ -z \"\$(ls -A tmp)\" ]"
