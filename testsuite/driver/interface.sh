# An object that was translated for another version of the library, or another MPI, is not linked.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2317
cat >part.dpc <<'C'
double A[10];
#pragma dpc distribute A(block)
int main(void) {
    A[:] = 1;
    return 0;
}
C
for header in redistribution interop scalapack; do printf '#include "%s.h"\nint main(void) { return 0; }\n' $header >$header.c; done
kind=${MPIS%% *}
compiler=$(mpicc_of "$kind")
export MPICC=$compiler
number=$(sed -n "s/.*dpc_interface_\([0-9a-f]*\)_other$/\1/p" "$BUILD/include/dpc/interface.h")
verdict "the headers have a number" test ${#number} = 8
dpcc --version
verdict "--version shows it" prints_like "^dpcc [0-9.]* (interface $number)$"

# The headers of another version.
mkdir -p other
cp -R "$BUILD/include" other
sed -i "s/_${number}_/_00000000_/" other/include/dpc/interface.h

dpcc -c part.dpc -o part.o
dpcc part.o -o part
verdict "an object of this version" all 'status_is 0' silent
dpcc -S part.dpc -o part.c
$compiler -I other/include/dpc -c part.c -o old.o
dpcc old.o -o old
verdict "an object of another version" all 'status_is 3' 'says "undefined reference to .dpc_interface_00000000_"' '[ ! -e old ]'
for header in redistribution interop scalapack; do
    STATUS=0
    $compiler -I "$BUILD/include/dpc" -Wall -Wextra -Werror $header.c "$BUILD/lib/$kind/libdpc.a" -lm -o c 2>"$SCRATCH/err" || STATUS=$?
    verdict "$header.h of this version" all 'status_is 0' silent
    STATUS=0
    $compiler -I other/include/dpc $header.c "$BUILD/lib/$kind/libdpc.a" -lm -o c 2>"$SCRATCH/err" || STATUS=$?
    verdict "$header.h of another version" all 'status_is 1' 'says "undefined reference to .dpc_interface_00000000_"'
done

if has_mpi openmpi && has_mpi mpich; then
    MPICC=$(mpicc_of mpich) dpcc -c part.dpc -o mpich.o
    MPICC=$(mpicc_of openmpi) dpcc mpich.o -o mixed
    verdict "an object of MPICH's, Open MPI's library" all 'status_is 3' "says \"dpc_interface_${number}_mpich\""
fi

# A person cannot forget it: it is a hash of the headers that are installed.
hash_of_headers() {
    (cd "$ROOT" && make -s --eval='names: ; @echo $(sort $(PUBLIC_HEADERS:%=runtime/%.h)) runtime/interface.h.in' names | xargs cat) |
        sha256sum | cut -c 1-8
}
verdict "the number is a hash of the headers" test "$(hash_of_headers)" = "$number"
