# npy_save, npy_load and pgm_save: files byte for byte, wrong files, files that cannot be written; NumPy where it is installed.
# shellcheck shell=bash disable=SC2016,SC2034
cat >io.dpc <<'E'
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
enum { N = 8, M = 9, LONG = 3000000 };
double A[N][M], L[LONG], B[LONG];
unsigned char G[2][3];
#pragma dpc distribute A(cyclic, *)
#pragma dpc distribute G(*, block)
#pragma dpc distribute L(cyclic(1000))
#pragma dpc distribute B(block)
int main(int argc, char **argv) {
    forall (i = 0:N-1, j = 0:M-1) A[i][j] = 10 * i + j;
    forall (i = 0:1, j = 0:2) G[i][j] = (unsigned char)(80 * i + 60 * j);
    if (argc > 3) { /* no file grows longer than 1 MB */
        struct rlimit most = {1 << 20, 1 << 20};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &most);
        B[:] = 1;
        npy_save(argv[2], B);
    } else if (!strcmp(argv[1], "save")) {
        npy_save(argv[2], A[::2][M-1:0:-4]);
    } else if (!strcmp(argv[1], "picture")) {
        pgm_save(argv[2], G);
    } else if (!strcmp(argv[1], "long")) {
        forall (i = 0:LONG-1) L[i] = i;
        npy_save(argv[2], L);
        L[:] = 0;
        npy_load(argv[2], L[LONG-1:0:-1]);
        printf("%ld\n", count(i = 0:LONG-1, L[i] != LONG - 1 - i));
    } else {
        A[:][:] = -1;
        npy_load(argv[2], A[:][:]);
        printf("%g %g %g\n", A[0][1], A[7][8], sum(A[:][:]));
    }
    return 0;
}
E
# A file: its type, order and shape, and the bytes of its elements as printf has them.
write_npy() {
    local text="{'descr': '$2', 'fortran_order': $3, 'shape': $4, }"
    { printf '\223NUMPY\1\0\166\0'; printf '%-117s\n' "$text"; printf '%b' "$5"; } >"$1"
}
zeroes() { printf '\\0%.0s' $(seq "$1"); }
# 72 values: A[0][1] is 2, A[7][8] is 1, all others are 0.
write_npy good.npy '<f8' False '(8, 9)' "$(zeroes 14)\\0000\\0100$(zeroes 558)\\0360\\0077"
write_npy big.npy '>f8' False '(8, 9)' "$(zeroes 8)\\0100$(zeroes 559)\\0077\\0360$(zeroes 6)"
write_npy columns.npy '<f8' True '(8, 9)' "$(zeroes 64)$(zeroes 6)\\0000\\0100$(zeroes 502)\\0360\\0077"
{ printf '\223NUMPY\2\0\166\0\0\0'; tail -c +11 good.npy; } >second.npy
{ printf '\223NUMPY\3\0\166\0\0\0'; tail -c +11 good.npy | sed "1s/'descr'/\"descr\"/; 1s/(8, 9)/(8L,9)/; 1s/, }/}  /"; } >third.npy
write_npy type.npy '<f4' False '(8, 9)' "$(zeroes 288)"
write_npy integers.npy '<i8' False '(8, 9)' "$(zeroes 576)"
write_npy shape.npy '<f8' False '(9, 8)' "$(zeroes 576)"
write_npy rank.npy '<f8' False '(72,)' "$(zeroes 576)"
write_npy object.npy '|O' False '(8, 9)' "$(zeroes 576)"
write_npy huge.npy '<f8' False '(4611686018427387904, 9)' "$(zeroes 576)"
write_npy negative.npy '<f8' False '(-8, 9)' "$(zeroes 576)"
write_npy order.npy '<f8' 1 '(8, 9)' "$(zeroes 576)"
{ printf '\223NUMPY\1\0\166\0'; printf '%-117s\n' "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (8, 9), }"; zeroes 9; } >structures.npy
head -c 700 good.npy >short.npy
{ cat good.npy; printf x; } >longer.npy
head -c 50 good.npy >header.npy
head -c 9 good.npy >start.npy
: >empty.npy
echo 'no numbers' >text.npy
{ printf '\223NUMPY\11\0'; tail -c +9 good.npy; } >version.npy
printf '\223NUMPY\2\0\377\377\377\377{' >endless.npy
printf 'P5\n3 2\n255\n\0<xP\214\310' >expected.pgm

wrong_files=("type:has elements of type '<f4', those of 'A' are '<f8'" "integers:has elements of type '<i8'" "shape:has shape (9, 8), 'A' has (8, 9)"
    "rank:has shape (72,), 'A' has (8, 9)" "object:has elements of type '|O', which no array can have" "huge:has more elements than a file can hold"
    "negative:has a header that is none" "order:has a header that is none" "structures:has structures as elements" "short:is cut short: 700 bytes, and its header says 704"
    "longer:has more behind its elements: 705 bytes" "header:ends within its header" "start:ends within its header" "empty:is empty" "text:is no .npy file"
    "version:has version 9.0" "endless:has a header of 4294967295 bytes" "absent:cannot be read: No such file")
# load FILE PROCESSES
load() { run_mpi "$kind" "$2" ./io load "$1" >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?; }
refused() { fails && says_text "io.dpc:33: error: '$1.npy' $2"; }
no_parts() { ! ls ./*.part 2>/dev/null; }

for kind in serial $MPIS; do
    if [ "$kind" = serial ]; then dpcc -O0 -std=c11 --serial -o io io.dpc; else MPICC=$(mpicc_of "$kind") dpcc -O0 -o io io.dpc; fi
    verdict "$kind: compiles" all 'status_is 0' silent
    most=3
    [ "$kind" = mpich ] && most=2
    run_mpi "$kind" "$most" ./io save "$kind.npy" >"$SCRATCH/out" 2>"$SCRATCH/err"
    verdict "$kind: the same bytes as --serial" same serial.npy "$kind.npy"
    run_mpi "$kind" "$most" ./io picture "$kind.pgm" >"$SCRATCH/out" 2>"$SCRATCH/err"
    verdict "$kind: a picture" same expected.pgm "$kind.pgm"
    for file in good:'0 2' big:'2 2' columns:'0 2' second:'0 2' third:'0 2'; do
        load "${file%%:*}.npy" "$most"
        verdict "$kind: ${file%%:*}.npy" all 'status_is 0' silent
        cp "$SCRATCH/out" "${file%%:*}.$kind"
        verdict "$kind: ${file%%:*}.npy, as --serial" same "${file%%:*}.serial" "${file%%:*}.$kind"
    done
    # One of the MPIs is slow to end a program that has failed: there some do.
    for file in "${wrong_files[@]}"; do
        case $kind:$file in openmpi:[ho]* | mpich:[es]* | s*) ;; *) continue ;; esac
        load "${file%%:*}.npy" 2
        verdict "$kind: ${file%%:*}.npy is refused" refused "${file%%:*}" "${file#*:}"
    done
    run_mpi "$kind" "$most" ./io long l.npy >"$SCRATCH/out" 2>"$SCRATCH/err"
    verdict "$kind: 24 MB" all 'prints 0' 'rm l.npy' no_parts
    echo before >target.npy
    ln -sf target.npy link.npy
    run_mpi "$kind" "$most" ./io save link.npy >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "$kind: a symbolic link stays one" all 'status_is 0' '[ -L link.npy ]' 'same serial.npy target.npy' no_parts
    ln -sf folder/later.npy later.npy && mkdir -p folder && rm -f folder/later.npy
    run_mpi "$kind" "$most" ./io save later.npy >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "$kind: a symbolic link to what is not there yet" all 'status_is 0' '[ -L later.npy ]' 'same serial.npy folder/later.npy' no_parts '[ -z "$(find folder -name "*.part")" ]'
    chmod 600 target.npy
    run_mpi "$kind" "$most" ./io save target.npy >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "$kind: its permissions stay" all 'status_is 0' '[ "$(stat -c %a target.npy)" = 600 ]' 'same serial.npy target.npy'
    echo before >kept.npy
    run_mpi "$kind" 2 ./io save kept.npy disk full >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "$kind: no room for a file" all fails 'says_text "io.dpc:20: error: cannot write '\''kept.npy'\''"' \
        '[ "$(cat kept.npy)" = before ]' no_parts
    run_mpi "$kind" 2 ./io save absent/x.npy >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "$kind: no directory" all fails 'says_text "io.dpc:22: error: cannot write '\''absent/x.npy'\'': No such file"'
    mkdir -p folder.npy
    run_mpi "$kind" 2 ./io save folder.npy >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "$kind: a directory" all fails 'says_text "cannot write '\''folder.npy'\'': Is a directory"' no_parts
    [ -p pipe.npy ] || mkfifo pipe.npy # a stand-in for a device, which stays what it is
    run_mpi "$kind" 2 ./io save pipe.npy >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "$kind: no regular file" all fails 'says_text "cannot write '\''pipe.npy'\'': it is no regular file"' no_parts '[ -p pipe.npy ]'
done
dpcc --serial -O0 io.dpc -o io_serial
ln -s circle.npy circle.npy
./io_serial save circle.npy >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
verdict "serial: a link to itself" all fails "says_text \"cannot write 'circle.npy': Too many levels\"" '[ -L circle.npy ]'
if [ "$(id -u)" = 0 ] && su nobody -s /bin/sh -c true 2>/dev/null; then # root may write everything
    (umask 0 && mkdir guarded && cp io_serial guarded && echo before >guarded/kept.npy && chmod 444 guarded/kept.npy)
    (cd guarded && su nobody -s /bin/sh -c "./io_serial save kept.npy") >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "serial: a file that must not be written" all fails "says_text \"cannot write 'kept.npy': Permission denied\"" '[ "$(cat guarded/kept.npy)" = before ]'
fi
for file in pipe:"it is no regular file" folder:"Is a directory"; do
    ./io_serial save "${file%%:*}.npy" >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "serial: ${file#*:}" all fails "says_text \"cannot write '${file%%:*}.npy': ${file#*:}\"" no_parts '[ -p pipe.npy ]'
done
# More bytes than an int counts, of one process and of several; also moved to the owners of rows before.
if [ "$EXHAUSTIVE" ]; then
    printf '%s\n' '#include <stdio.h>' 'enum { N = 280000000 };' 'double A[N];' '#pragma dpc distribute A(FORMAT)' 'int main(void) {' '    forall (i = 0:N-1) A[i] = i;' \
        '    npy_save("large.npy", A);' '    A[:] = 0;' '    npy_load("large.npy", A);' '    printf("%ld\n", count(i = 0:N-1, A[i] != i));' '    return 0;' '}' >large.dpc
    for run in serial:block:1 openmpi:block:1 openmpi:"cyclic(1000)":2 mpich:block:1; do
        IFS=: read -r kind format processes <<<"$run"
        if [ "$kind" = serial ]; then dpcc --serial -DFORMAT="$format" large.dpc -o large; else
            has_mpi "$kind" || continue
            MPICC=$(mpicc_of "$kind") dpcc -DFORMAT="$format" large.dpc -o large
        fi
        LIMIT=600 run_mpi "$kind" "$processes" ./large >"$SCRATCH/out" 2>"$SCRATCH/err"
        verdict "$kind: 2.2 GB in $format of $processes" all 'prints 0' '[ "$(stat -c %s large.npy)" = 2240000128 ]'
        rm -f large.npy
    done
fi
verdict "what was loaded" all '[ "$(cat good.serial)" = "2 1 3" ]' '[ "$(cat big.serial)" = "2 1 3" ]' '[ "$(cat columns.serial)" = "2 1 3" ]'
if [ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    verdict "NumPy reads it" /usr/bin/python3 -c 'import numpy
x = numpy.load("serial.npy")
assert x.dtype == "f8" and (x == (10 * numpy.arange(8)[:, None] + numpy.arange(9))[::2, 8::-4]).all()
y = 10.0 * numpy.arange(8)[:, None] + numpy.arange(9)
numpy.save("numpy.npy", y)
numpy.save("fortran.npy", numpy.asfortranarray(y.astype(">f8")))'
    for file in numpy fortran; do
        load "$file.npy" 2
        verdict "$kind reads NumPy's, $file" prints '1 78 2808'
    done
fi

no_checkpoint() { [ ! -e checkpoint.npy ]; }
# A Jacobi program that is killed between two files goes on from the last one, on another number of processes.
for kind in serial $MPIS; do
    case $kind in
    serial) dpcc -O1 --serial -o go "$ROOT/examples/checkpoint.dpc" ;;
    *) MPICC=$(mpicc_of "$kind") dpcc -O1 -o go "$ROOT/examples/checkpoint.dpc" ;;
    esac
    verdict "checkpoint, $kind: compiles" all 'status_is 0' silent
    [ "$kind" = serial ] && cp go alone
    # Those killed with Open MPI and MPICH are the launcher's: all of them.
    [ "$kind" = serial ] && continue
    rm -f checkpoint.npy*
    run_mpi "$kind" 2 "$PWD/go" 100000000 >"$SCRATCH/out" 2>"$SCRATCH/err" &
    launched=$!
    for _ in $(seq 200); do
        [ -e checkpoint.npy ] && break
        sleep 0.1
    done
    # The processes, and what has started them, by the program's path in this test's own directory.
    # shellcheck disable=SC2046 # a list
    while pgrep -f "$PWD/go .*100000000" >/dev/null; do kill -9 $(pgrep -f "$PWD/go .*100000000") 2>/dev/null; done
    wait "$launched" 2>/dev/null
    # The first element, a double, says how many iterations the file is of: its bytes, to a number of hundreds.
    done_so_far=$(tail -c +129 checkpoint.npy | od -A n -t f8 -N 8 | xargs printf '%.0f')
    verdict "checkpoint, $kind: killed, and there is a file" all '[ $((done_so_far % 100)) = 0 ]' '[ "$done_so_far" -gt 0 ]'
    total=$((done_so_far + 50))
    processes=1
    [ "$kind" = smpi ] && processes=5
    [ "$kind" = openmpi ] && processes=3
    run_mpi "$kind" "$processes" ./go "$total" >went 2>"$SCRATCH/err"
    verdict "checkpoint, $kind: it goes on" all 'no_checkpoint' '[ "$(wc -l <went)" = 1 ]'
    ./alone "$total" >"$SCRATCH/out" 2>"$SCRATCH/err"
    verdict "checkpoint, $kind: as without" same "$SCRATCH/out" went
done
# File systems may move fewer bytes than they are asked for. (Simulated processes write by themselves, the program's functions come first.)
cat >few.dpc <<'C'
#include <stdio.h>
double A[40], B[40];
#pragma dpc distribute (block) :: A, B
int main(void) {
    forall (i = 0:39) A[i] = i;
    npy_save("few.npy", A);
    npy_load("few.npy", B);
    printf("%g\n", sum(i = 0:39, B[i] != i));
    return 0;
}
C
cat >short.c <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
static size_t few(size_t bytes) {
    return bytes > 24 ? 24 : bytes;
}
ssize_t pwrite(int file, const void *from, size_t bytes, off_t at) {
    return syscall(SYS_pwrite64, file, from, few(bytes), at);
}
ssize_t pread(int file, void *to, size_t bytes, off_t at) {
    return syscall(SYS_pread64, file, to, few(bytes), at);
}
C
if has_mpi smpi; then
    MPICC=smpicc dpcc -O0 --run -n 4 few.dpc short.c
    verdict "a few bytes at a time" all 'status_is 0' silent 'prints 0'
fi
