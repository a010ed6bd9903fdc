# hdf5_save and hdf5_load: datasets that h5py wrote and reads, wrong files, files that cannot be written; programs that call none need none.
# shellcheck shell=bash disable=SC2016,SC2034
printf '%s\n' 'double A[3];' '#pragma dpc distribute A(block)' 'int main(void) { A[:] = 1; return sum(A[:]) != 3; }' >plain.dpc
cat >io.dpc <<'E'
#include <complex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
enum { N = 8, M = 9, LONG = 3000000 };
double A[N][M], U[N][M], L[LONG], B[LONG], T[2][2][2100000];
bool F[N];
float complex Z[N];
unsigned short S[N];
long double D[N];
#pragma dpc distribute A(cyclic, *)
#pragma dpc distribute U(*, cyclic(2))
#pragma dpc distribute (cyclic(3)) :: F, Z, S, D
#pragma dpc distribute L(cyclic(1000))
#pragma dpc distribute B(block)
#pragma dpc distribute T(*, *, cyclic(7))
int main(int argc, char **argv) {
    const char *file = argv[2], *set = argc > 3 ? argv[3] : "A";
    forall (i = 0:N-1, j = 0:M-1) A[i][j] = 10 * i + j;
    forall (i = 0:N-1) F[i] = i % 3 == 0;
    forall (i = 0:N-1) Z[i] = i + 2 * I;
    forall (i = 0:N-1) S[i] = (unsigned short)(60000 + i);
    forall (i = 0:N-1) D[i] = i / 3.0L;
    if (!strcmp(argv[1], "full")) { /* no file grows longer than 1 MB */
        struct rlimit most = {1 << 20, 1 << 20};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &most);
        B[:] = 1;
        hdf5_save(file, "B", B);
    } else if (!strcmp(argv[1], "save")) {
        hdf5_save(file, "A", A);
        hdf5_save(file, "deep/er/A", A[::2][M-1:0:-4]);
        hdf5_save(file, "F", F);
        hdf5_save(file, "Z", Z[:]);
        hdf5_save(file, "S", S);
        hdf5_save(file, "D", D);
        hdf5_save(file, "empty", A[3:2][:]);
        A[:][:] = 2 * A[:][:];
        hdf5_save(file, "deep/A", A);
    } else if (!strcmp(argv[1], "one")) {
        hdf5_save(file, set, A);
    } else if (!strcmp(argv[1], "load")) {
        A[:][:] = -1;
        hdf5_load(file, set, U);
        A[:][:] = U[:][:];
        printf("%g %g %g\n", A[0][1], A[7][8], sum(A[:][:]));
    } else if (!strcmp(argv[1], "others")) {
        hdf5_load(file, "F", F[N-1:0:-1]);
        hdf5_load(file, "Z", Z);
        hdf5_load(file, "S", S);
        hdf5_load(file, "D", D);
        hdf5_load(file, "deep/er/A", U[0:3][1:3]);
        hdf5_load(file, "empty", A[1:0][:]);
        printf("%ld %g %d %d %g\n", count(i = 0:N-1, F[i] && (N - 1 - i) % 3 == 0), cimag(sum(Z[:])), S[7], D[7] == 7 / 3.0L, sum(U[0:3][1:3]));
    } else if (!strcmp(argv[1], "long")) {
        forall (i = 0:LONG-1) L[i] = i;
        forall (k = 0:1, l = 0:1, i = 0:2099999) T[k][l][i] = 3 * k + 5 * l + i;
        hdf5_save(file, "L", L);
        hdf5_save(file, "T", T);
        L[:] = 0;
        T[:][:][:] = 0;
        hdf5_load(file, "L", L[LONG-1:0:-1]);
        hdf5_load(file, "T", T);
        printf("%ld %ld\n", count(i = 0:LONG-1, L[i] != LONG - 1 - i), count(k = 0:1, l = 0:1, i = 0:2099999, T[k][l][i] != 3 * k + 5 * l + i));
    }
    return 0;
}
E
has_hdf5() { [ -e "$BUILD/lib/$1/hdf5.options" ]; }
compile_for() {
    local kind=$1
    shift
    if [ "$kind" = serial ]; then dpcc --serial "$@"; else MPICC=$(mpicc_of "$kind") dpcc "$@"; fi
}
package_of() {
    case $1 in
    openmpi | mpich) echo "libhdf5-$1-dev" ;;
    serial | smpi) echo libhdf5-dev ;;
    *) echo HDF5_other ;;
    esac
}
needs_none() { ! readelf -d plain | grep -q hdf5; }

# ---- A dpcc that was built without HDF5
mkdir -p without/lib without/include && cp "$DPCC" without/dpcc && cp -r "$BUILD/include/dpc" without/include/
ours=$DPCC
for kind in serial $MPIS; do
    mkdir -p "without/lib/$kind"
    cp "$BUILD/lib/$kind/"libdpc.* "without/lib/$kind/" 2>/dev/null
    DPCC=$PWD/without/dpcc
    compile_for "$kind" -O0 io.dpc -o io
    verdict "$kind: without HDF5 there is an error" all 'status_is 3' 'says "hdf5_save and hdf5_load need HDF5 for .*, with which dpcc was not built"' 'says "$(package_of "$kind")"' '[ ! -e io ]'
    compile_for "$kind" -O0 plain.dpc -o plain
    verdict "$kind: without HDF5 other programs are compiled" all 'status_is 0' silent
    echo "-I/absent -L/absent/hdf5 -lhdf5" >"without/lib/$kind/hdf5.options"
    compile_for "$kind" -O0 io.dpc -o io
    verdict "$kind: HDF5 is no longer there" all 'status_is 3' "says \"which is no longer in '/absent/hdf5'\"" 'says "$(package_of "$kind")"'
    DPCC=$ours
done

# ---- Files that h5py has written
python=/usr/bin/python3
h5py=
if [ -x $python ] && $python -c 'import h5py' 2>/dev/null; then
    h5py=yes
    $python - <<'END'
import h5py, numpy
values = 10.0 * numpy.arange(8)[:, None] + numpy.arange(9)
def one(name, **kind):
    with h5py.File(name + '.h5', 'w') as f:
        f.create_dataset('A', **kind)
one('good', data=values)
one('big', data=values.astype('>f8'))
one('packed', data=values, chunks=(3, 4), compression='gzip')
one('alien', data=values, compression='lzf')
one('type', data=values.astype('f4'))
one('half', data=values.astype('f2'))
one('integers', data=values.astype('i8'))
one('unsigned', data=values.astype('u8'))
one('complex', data=values.astype('c16'))
one('strings', data=[[b'x'] * 9] * 8)
one('shape', data=values.T)
one('rank', data=values.ravel())
one('scalar', data=1.0)
one('null', data=h5py.Empty('f8'))
one('structures', data=numpy.zeros((8, 9), [('x', 'f8'), ('y', 'i4')]))
with h5py.File('group.h5', 'w') as f:
    f.create_group('A')
with h5py.File('other.h5', 'w') as f:
    f['B'] = values
whole = open('good.h5', 'rb').read()
open('short.h5', 'wb').write(whole[:-100])
open('head.h5', 'wb').write(whole[:40])
END
fi
: >empty.h5
echo 'no numbers' >text.h5
mkdir folder.h5
wrong_files=("absent:cannot be read: No such file" "empty:is no HDF5 file" "text:is no HDF5 file" "folder:cannot be read: Is a directory")
[ "$h5py" ] && wrong_files+=("type:has elements of type 'f4' in 'A', those of 'U' are 'f8'" "half:has elements of type 'f2'" "integers:has elements of type 'i8'"
    "unsigned:has elements of type 'u8'" "complex:has elements of type structures" "strings:has elements of type strings" "structures:has elements of type structures"
    "shape:has shape (9, 8) in 'A', 'U' has (8, 9)" "rank:has shape (72,) in 'A', 'U' has (8, 9)" "scalar:has shape () in 'A'" "null:has no elements in 'A'"
    "group:has a group or a type of the name 'A', no dataset" "other:has no dataset 'A'" "short:cannot be read: truncated file" "head:cannot be read: "
    "alien:has 'A' compressed by a filter that HDF5 lacks here, number 32000 lzf")
# load FILE PROCESSES [WHAT]
load() { run_mpi "$kind" "$2" ./io "${3:-load}" "$1" >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?; }
# save FILE DATASET PROCESSES [WHAT]
save() { run_mpi "$kind" "$3" ./io "${4:-one}" "$1" "$2" >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?; }
no_parts() { ! ls ./*.part 2>/dev/null; }

# MPICH saves and loads below, too: all the cases only where there is time
kinds="serial $MPIS"
[ "$EXHAUSTIVE" ] || ! has_mpi openmpi || kinds=${kinds/mpich/}
for kind in $kinds; do
    if ! has_hdf5 "$kind"; then
        pass "driver/$TEST: $kind skipped, as $(package_of "$kind") is not installed"
        continue
    fi
    compile_for "$kind" -O0 plain.dpc -o plain
    verdict "$kind: a program without files of HDF5 is not linked with it" all 'status_is 0' silent needs_none
    compile_for "$kind" -O0 -Wall -Wextra -c io.dpc -o io.o
    verdict "$kind: compiles" all 'status_is 0' silent
    compile_for "$kind" io.o -o io
    verdict "$kind: links" all 'status_is 0' silent
    most=3
    [ "$kind" = mpich ] && most=2
    save "$kind.h5" A "$most" save
    verdict "$kind: saves" all 'status_is 0' silent no_parts
    load "$kind.h5" "$most"
    verdict "$kind: loads" prints '1 78 2808'
    load "$kind.h5" "$most" others
    verdict "$kind: loads others" prints "3 16 60007 1 408"
    [ "$h5py" ] && verdict "$kind: h5py reads it" $python - "$kind.h5" <<'END'
import h5py, numpy, sys
a = 10.0 * numpy.arange(8)[:, None] + numpy.arange(9)
with h5py.File(sys.argv[1]) as f:
    assert sorted(f) == ['A', 'D', 'F', 'S', 'Z', 'deep', 'empty'] and sorted(f['deep']) == ['A', 'er']
    for name, value, kind in [('A', a, 'f8'), ('deep/A', 2 * a, 'f8'), ('deep/er/A', a[::2, 8::-4], 'f8'), ('F', numpy.arange(8) % 3 == 0, 'bool'),
                              ('Z', numpy.arange(8) + 2j, 'c8'), ('S', 60000 + numpy.arange(8), 'u2'), ('D', numpy.arange(8) / numpy.longdouble(3), 'f16'), ('empty', a[:0], 'f8')]:
        assert f[name].dtype == kind and f[name].shape == value.shape and (f[name][()] == value).all(), name
END
    save "$kind.h5" A "$most"
    before=$(stat -c %s "$kind.h5")
    save "$kind.h5" A "$most"
    verdict "$kind: a dataset is replaced, the others stay" all 'status_is 0' silent '[ "$(stat -c %s "$kind.h5")" -le "$before" ]'
    load "$kind.h5" "$most" others
    verdict "$kind: they do" prints "3 16 60007 1 408"
    if [ "$h5py" ]; then
        $python - <<'END'
import h5py, numpy
for name, others in [('attributes', True), ('alone', False)]:
    with h5py.File(name + '.h5', 'w') as f:
        a = f.create_dataset('A', data=numpy.zeros(3))
        a.attrs['unit'] = 'K'
        a.attrs['levels'] = numpy.arange(4, dtype='i2').reshape(2, 2)
        a.attrs['names'] = ['one', 'two']
        a.attrs['none'] = h5py.Empty('f4')
        a.attrs['place'] = a.ref
        if others:
            f['kind'] = numpy.dtype('f4')
            a.attrs.create('named', 2.5, dtype=f['kind'])
            f['B'] = 7
            f['B'].attrs['unit'] = 'm'
END
        for file in attributes alone; do save $file.h5 A "$most"; done
        verdict "$kind: a dataset that is replaced keeps its attributes" all 'status_is 0' silent '$python - <<END
import h5py
for name, others in [("attributes", True), ("alone", False)]:
    with h5py.File(name + ".h5") as f:
        a = f["A"]
        assert a.shape == (8, 9) and a[7, 8] == 78
        assert sorted(a.attrs) == ["levels"] + ["named"] * others + ["names", "none", "unit"], list(a.attrs)
        assert a.attrs["unit"] == "K" and list(a.attrs["names"]) == ["one", "two"] and a.attrs["levels"].tolist() == [[0, 1], [2, 3]]
        assert a.attrs["none"] == h5py.Empty("f4") and (not others or a.attrs["named"] == 2.5 and f["B"].attrs["unit"] == "m")
END'
    fi
    save "$kind.h5" deep "$most"
    verdict "$kind: a group is not" all fails "says_text \"cannot write '$kind.h5': it has a group or a type of the name 'deep'\"" no_parts
    save text.h5 A "$most"
    verdict "$kind: another file is left alone" all fails 'says_text "what is there is no HDF5 file"' '[ "$(cat text.h5)" = "no numbers" ]' no_parts
    for file in good big packed; do
        [ "$h5py" ] || continue
        load $file.h5 "$most"
        verdict "$kind: $file.h5" prints '1 78 2808'
    done
    # One of the MPIs is slow to end a program that has failed: there some do.
    for file in "${wrong_files[@]}"; do
        case $kind:$file in openmpi:[ahs]* | mpich:[get]* | s*) ;; *) continue ;; esac
        load "${file%%:*}.h5" 2
        verdict "$kind: ${file%%:*}.h5 is refused" all fails "says_text \"io.dpc:46: error: '${file%%:*}.h5' ${file#*:}\""
    done
    load l.h5 "$most" long
    verdict "$kind: 91 MB" all 'prints "0 0"' 'rm l.h5' no_parts
    save kept.h5 A "$most"
    cp kept.h5 before.h5
    save kept.h5 B "$most" full
    verdict "$kind: no room for a file" all fails "says_text \"io.dpc:31: error: cannot write 'kept.h5': \"" 'cmp kept.h5 before.h5' no_parts
    rm kept.h5
    [ "$kind" = mpich ] && continue # as above
    save "$kind.h5" A/below "$most"
    verdict "$kind: nothing is below a dataset" all fails "says_text \"cannot write '$kind.h5': \"" no_parts
    save "$kind.h5" / "$most"
    verdict "$kind: a name is needed" all fails 'says_text "without a name"'
    save absent/x.h5 A 2
    verdict "$kind: no directory" all fails "says_text \"cannot write 'absent/x.h5': No such file\""
    save folder.h5 A 2
    verdict "$kind: a directory" all fails "says_text \"cannot write 'folder.h5': Is a directory\"" no_parts
    [ -p pipe.h5 ] || mkfifo pipe.h5
    save pipe.h5 A 2
    verdict "$kind: no regular file" all fails "says_text \"cannot write 'pipe.h5': it is no regular file\"" no_parts '[ -p pipe.h5 ]'
done

# ---- With all checks, and in one file
for kind in openmpi mpich; do
    has_mpi $kind && has_hdf5 $kind || continue
    cat >names.dpc <<'END'
#include <stdlib.h>
double A[9];
#pragma dpc distribute A(block)
int main(void) {
    const char *number = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    hdf5_save("names.h5", number && atoi(number) ? "one" : "zero", A);
    return 0;
}
END
    compile_for $kind -O0 --check=all names.dpc -o names
    run_mpi $kind 2 ./names >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
    verdict "$kind: different datasets" all fails "says_text \"names.dpc:6:5: error: the processes name different datasets, 'zero' and others\"" '[ ! -e names.h5 ]'
    dpcc --standalone io.dpc -o alone.c
    verdict "$kind: --standalone" all 'status_is 0' silent
    compile_for $kind -O0 alone.c -o io
    verdict "$kind: its file is compiled" all 'status_is 0' silent
    save alone.h5 A 2 save
    load alone.h5 2 others
    verdict "$kind: and runs" prints "3 16 60007 1 408"
    break
done
[ "$h5py" ] || pass "driver/$TEST: h5py skipped, as python3-h5py is not installed"
