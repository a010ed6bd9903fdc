# make install, uninstall and dist; what is installed works where it is put, and where it is moved to.
# shellcheck shell=bash disable=SC2016,SC2034
export DEPS=none
# make_in PROJECT-GOAL...: its exit status and outputs as dpcc leaves them.
make_goal() { STATUS=0 && MAKEFLAGS='' timeout -k 5 $((4 * LIMIT)) make -s -C "$ROOT" BUILD="$BUILD" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?; }
installed_files() { find "$1" -mindepth 1 -not -type d | sed "s,^$1/,," | sort; }
cat >hello.dpc <<'END'
#include <stdio.h>
#include "size.h"
double A[N];
#pragma dpc distribute A(block)
int main(void) {
    A[:] = 2;
    printf("%g\n", sum(A[:]));
    return 0;
}
END
echo '#define N 21' >size.h

prefix="$PWD/a place"
make_goal install PREFIX="$prefix"
verdict "make install" all 'status_is 0' '[ -x "$prefix/bin/dpcc" ]' '[ "$(installed_files "$prefix" | grep -v manifest)" = "$(sort "$prefix/lib/dpc/manifest")" ]'
DPCC="$prefix/bin/dpcc" dpcc --run -n 2 hello.dpc
verdict "it works there" all 'status_is 0' 'prints 42'
mv "$prefix" moved
DPCC="$PWD/moved/bin/dpcc" dpcc --standalone hello.dpc -o alone.c
verdict "and where it is moved to" all 'status_is 0' 'grep -q "int main" alone.c'
DPCC="$PWD/moved/bin/dpcc" dpcc -S hello.dpc
same_text() { cp hello.c installed.c && "$BUILD/dpcc" -S hello.dpc && cmp hello.c installed.c; }
verdict "and writes what build/dpcc writes" same_text

# ---- pkg-config
kind=$(for k in $MPIS; do [ "$k" = smpi ] || { echo "$k" && break; }; done)
cat >plan.c <<'END'
#include <redistribution.h>
#include <stdio.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const dpc_index n = 10;
    double a[10], b[10];
    for (int i = 0; i < 10; i++) a[i] = i;
    dpc_mapping m = dpc_map(1, (dpc_index[]){n}, (dpc_format[]){DPC_BLOCK}, (int[]){1});
    dpc_redistribution *plan = dpc_plan_redistribution(MPI_COMM_WORLD, &m, &m, sizeof(double), NULL);
    dpc_execute(plan, a, b);
    dpc_free_redistribution(plan);
    printf("%g\n", b[9]);
    MPI_Finalize();
}
END
with_pkg_config() {
    export PKG_CONFIG_PATH=$PWD/moved/lib/pkgconfig
    # shellcheck disable=SC2046 # words
    "$(mpicc_of "$kind")" plan.c $(pkg-config --cflags --libs "$1") -o plan && [ "$(run_mpi "$kind" 1 ./plan)" = 9 ]
}
verdict "pkg-config dpc" with_pkg_config dpc
verdict "pkg-config dpc-$kind" with_pkg_config "dpc-$kind"

# ---- CMake
if command -v cmake >/dev/null; then
    mkdir "a project" && cp hello.dpc size.h "a project" && cd "a project" || exit 1 # Make's rules want its blank quoted
    cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(hello C)
find_package(DPC 0.2 REQUIRED)
add_dpc_executable(hello hello.dpc OPTIONS -O1)
END
    { cmake -S . -B made -DCMAKE_PREFIX_PATH="$PWD/../moved" && cmake --build made; } >"$SCRATCH/out" 2>&1 && STATUS=0 || STATUS=$?
    verdict "CMake" all 'status_is 0' '[ "$(run_mpi "$kind" 2 made/hello)" = 42 ]'
    sleep 1
    echo '#define N 4' >size.h
    cmake --build made >"$SCRATCH/out" 2>&1 && STATUS=0 || STATUS=$?
    verdict "CMake makes it again when a header changes" all 'status_is 0' '[ "$(run_mpi "$kind" 2 made/hello)" = 8 ]'
    cmake --build made >"$SCRATCH/out" 2>&1
    verdict "and only then" [ "$(grep -c -e Translating -e Linking "$SCRATCH/out")" = 0 ]
    cd .. || exit 1
fi

# ---- Manual pages: every option of --help, and what mandoc says
"$BUILD/dpcc" --help | sed -n 's/^  \(-[^ =[]*\).*/\1/p' | sort -u >helped
sed -n 's/^\.B \(\\-[^ =[]*\).*/\1/p' moved/share/man/man1/dpcc.1 | sed 's/\\-/-/g' | sort -u >in_manual
verdict "options in dpcc.1" same helped in_manual
if command -v mandoc >/dev/null; then
    mandoc -Tlint -W warning moved/share/man/man1/dpcc.1 moved/share/man/man3/dpc.3 >"$SCRATCH/out" 2>&1
    verdict "manual pages" prints ""
fi

# ---- Completion
complete_in_bash() { # WORDS...: what the last may become
    bash -c '. moved/share/bash-completion/completions/dpcc; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _dpcc; printf "%s\n" "${COMPREPLY[@]}"' bash "$PWD/moved/bin/dpcc" "$@" | sort | tr '\n' ' '
}
verdict "bash: options" [ "$(complete_in_bash --che)" = "--check= " ]
verdict "bash: values" [ "$(complete_in_bash --check = a)" = "all " ]
verdict "bash: all values" [ "$(complete_in_bash --check =)" = "all bounds none " ]
verdict "bash: files" [ "$(complete_in_bash hel)" = "hello.c hello.dpc " ]
if command -v zsh >/dev/null; then
    complete_in_zsh() {
        zsh -fc 'words=($1/moved/bin/dpcc); PREFIX=$2
            _describe() { print -rl -- $found }
            _files() { print files }
            compadd() { print -rl -- $values }
            compset() { PREFIX=${PREFIX#*=} }
            . $1/moved/share/zsh/site-functions/_dpcc' zsh "$PWD" "$1"
    }
    verdict "zsh: options" grep -q '^--check=:run-time checks' <(complete_in_zsh --c)
    verdict "zsh: values" [ "$(complete_in_zsh --check= | tr '\n' ' ')" = "none bounds all " ]
    verdict "zsh: files" [ "$(complete_in_zsh x)" = files ]
fi

# ---- uninstall
touch moved/lib/theirs
make_goal uninstall PREFIX="$PWD/moved"
verdict "make uninstall leaves what it has not installed" all 'status_is 0' '[ "$(find moved -type f)" = moved/lib/theirs ]' '[ ! -e moved/bin ]'
make_goal uninstall PREFIX="$PWD/moved"
verdict "make uninstall where nothing is" all 'fails' 'says "nothing is installed"'
touch file
make_goal install PREFIX="$PWD/file"
verdict "make install below a file" all 'fails' 'says "is not a directory"'
mkdir -p blocked && touch blocked/share
make_goal install PREFIX="$PWD/blocked"
verdict "make install where a part cannot be written leaves nothing" all 'fails' 'says "is not a directory"' '[ "$(find blocked -type f)" = blocked/share ]'
make_goal install DESTDIR="$PWD/stage" PREFIX=usr
verdict "DESTDIR and a PREFIX without '/'" all 'fails' "says \"begins with '/', not 'usr'\"" '[ ! -e stageusr ]'
make_goal install PREFIX='~/dpcc'
verdict "a '~' that stayed" all 'fails' 'says "no shell has replaced"' '[ ! -e "$ROOT/~" ]'
make_goal install DESTDIR="$PWD/stage" PREFIX=/usr
verdict "DESTDIR" all 'status_is 0' '[ -x stage/usr/bin/dpcc ]' '[ "$(ls stage)" = usr ]'

# ---- The Debian package; building it takes minutes (--exhaustive).
if command -v dpkg-parsechangelog >/dev/null; then
    verdict "version of the Debian package" [ "$(dpkg-parsechangelog -l "$ROOT/debian/changelog" -S Version)" = "$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")" ]
fi
if [ "$EXHAUSTIVE" ] && command -v dpkg-buildpackage dh >/dev/null; then
    git -C "$ROOT" archive --prefix=source/ HEAD | tar x
    (cd source && dpkg-buildpackage -us -uc -b -d) >"$SCRATCH/out" 2>&1 && STATUS=0 || STATUS=$?
    verdict "dpkg-buildpackage" all 'status_is 0' 'dpkg-deb -c dpcc_*.deb | grep -q usr/bin/dpcc'
fi

# ---- dist
if git -C "$ROOT" rev-parse --git-dir >/dev/null 2>&1; then
    make_goal dist
    tar tzf "$ROOT/$(sed "s,^$ROOT/,," "$SCRATCH/out")" 2>/dev/null | sed 's,^[^/]*/,,; /\/$/d; /^$/d' | sort >packed
    git -C "$ROOT" ls-tree -r --name-only HEAD | sort >tracked
    verdict "make dist" all 'status_is 0' 'same packed tracked'
fi
# A tarball that is unpacked inside another repository is no part of it.
if [ -e "$ROOT/build/dpcc" ] && git -C "$ROOT" rev-parse --git-dir >/dev/null 2>&1; then
    mkdir outer && (cd outer && git init -q . && git -C "$ROOT" archive --prefix=unpacked/ HEAD | tar x)
    STATUS=0 && MAKEFLAGS='' make -s -C outer/unpacked BUILD=build dist >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    tar tzf outer/unpacked/build/dpcc-*.tar.gz 2>/dev/null | sed 's,^[^/]*/,,; /\/$/d; /^$/d' | sort >repacked
    verdict "make dist of what make dist made" all 'status_is 0' 'same repacked tracked'
fi
