# --calibrate and the profile that it writes.
# shellcheck shell=bash disable=SC2016,SC2034
echo 'int main(void) { return 0; }' >ok.dpc
unset DPC_PROFILE
export XDG_CONFIG_HOME=$PWD/configuration
PROFILE=$XDG_CONFIG_HOME/dpcc/profile
NAMES="message byte typed-byte typed-run element run section owner operation"

# has_all_fields FILE: a line `name positive-number` for each, and nothing else but comments.
has_all_fields() {
    local names
    names=$(sed -n 's/^\([a-z-]*\)  *[0-9.]*[1-9][0-9.]*\(e-[0-9]*\)\?$/\1/p' "$1" | xargs)
    [ "$names" = "$NAMES" ] || { echo "fields: $names"; return 1; }
    [ "$(grep -vc '^#' "$1")" = 9 ]
}

for kind in $MPIS; do
    [ "$kind" = smpi ] && continue
    rm -rf configuration
    MPICC=$(mpicc_of "$kind") dpcc --calibrate -Wall -Wextra -Wconversion -Wshadow -Werror
    verdict "--calibrate with $kind" all 'status_is 0' silent "has_all_fields '$PROFILE'" \
        'prints_like "^message  *[0-9.e-]* s  one message"' "prints_like '^written to $PROFILE\$'" \
        'files_are "configuration configuration/dpcc configuration/dpcc/profile ok.dpc"' \
        "grep -q '^# dpcc --calibrate, 20[0-9-]* [0-9:]* UTC, $(uname -n) ' '$PROFILE'"
done
cp "$PROFILE" "$SCRATCH/first"
dpcc -S ok.dpc -o /dev/null
verdict "the profile is read" all 'status_is 0' silent
if has_mpi smpi; then MPICC=smpicc fails_with 3 "nothing to measure" --calibrate; fi

# What goes wrong leaves the old profile alone.
fails_with 2 "takes no input" --calibrate ok.dpc
fails_with 2 "takes no input" --calibrate -lm
fails_with 2 "takes no value" --calibrate=yes
for option in --run --serial --np=2 "-n 2" "-o x" -S -c -E --dump=ir; do
    # shellcheck disable=SC2086 # words
    fails_with 2 "no option of translation" --calibrate $option
done
MPICC=/absent/mpicc fails_with 3 "/absent/mpicc" --calibrate
MPIRUN=/absent/mpirun fails_with 3 "/absent/mpirun" --calibrate
MPIRUN=false fails_with 3 "failed with exit status 1" --calibrate
MPIRUN='echo message 1e-6' fails_with 3 "no positive value of 'message'" --calibrate
printf '#!/bin/sh\nprintf "noise\\nmessage 1e-6\\nbyte nan\\n"\n' >"$SCRATCH/odd-mpirun"
chmod +x "$SCRATCH/odd-mpirun"
MPIRUN=$SCRATCH/odd-mpirun fails_with 3 "no positive value of 'byte'" --calibrate
fails_with 3 "failed with exit status 1" --calibrate -fno-such-option=3
verdict "the old profile is still there" all "same '$PROFILE' '$SCRATCH/first'" \
    'files_are "configuration configuration/dpcc configuration/dpcc/profile ok.dpc"'

# Where it is written.
cat >"$SCRATCH/mpirun" <<SH
#!/bin/sh
for name in $NAMES; do echo "\$name 2.5e-07"; done
SH
chmod +x "$SCRATCH/mpirun"
export MPIRUN=$SCRATCH/mpirun
mkdir home
XDG_CONFIG_HOME='' HOME=$PWD/home dpcc --calibrate
verdict "in HOME" all 'status_is 0' 'has_all_fields home/.config/dpcc/profile' "prints_like '^written to $PWD/home/.config/dpcc/profile\$'"
XDG_CONFIG_HOME=relative HOME=$PWD/home dpcc --calibrate
verdict "a relative XDG_CONFIG_HOME is ignored" all 'status_is 0' '[ ! -e relative ]'
DPC_PROFILE=mine dpcc --calibrate
verdict "DPC_PROFILE" all 'status_is 0' 'has_all_fields mine' "same '$PROFILE' '$SCRATCH/first'"
(unset XDG_CONFIG_HOME HOME && fails_with 3 "HOME" --calibrate)
(unset XDG_CONFIG_HOME HOME && dpcc -S ok.dpc -o - && verdict "no HOME, default costs" all 'status_is 0' silent)
rm -rf home mine configuration
echo text >configuration
fails_with 3 "cannot make '$XDG_CONFIG_HOME': Not a directory" --calibrate
DPC_PROFILE=absent/profile fails_with 3 "cannot write 'absent/profile': No such file" --calibrate
dpcc -S ok.dpc -o -
verdict "a file in place of the directory: default costs" all 'status_is 0' silent
rm -f configuration && mkdir -p configuration/dpcc/profile
fails_with 3 "Is a directory" --calibrate
fails_with 3 "cannot read '$PROFILE': Is a directory" -S ok.dpc
verdict "nothing was written" files_are "configuration configuration/dpcc configuration/dpcc/profile ok.dpc"
unset MPIRUN

# reads_as STATUS TEXT LINES: the profile with these lines is refused (TEXT after the file's name), or warned of.
export DPC_PROFILE=profile
reads_as() {
    local status=$1 said=$2
    printf "$3" >profile
    dpcc -S ok.dpc -o /dev/null
    verdict "profile '$3' -> $status" all "status_is $status" "says \"^profile:$said\"" 'prints ""'
}
reads_as 3 "1: error: expected a name and a number" 'message\n'
reads_as 3 "3: error: expected a name and a number" '# comment\n\nbyte much\n'
reads_as 3 "1: error: expected nothing after" 'byte 1e-9 2\n'
for number in 0 -1e-9 nan inf 1e999; do reads_as 3 "2: error: expected a positive number" "run 1\nbyte $number\n"; done
reads_as 3 "2: error: .* earlier line" 'byte 1\nbyte 1\n'
reads_as 0 "2: warning: unknown name 'latency'" 'byte 1\n latency 4 \n'
printf ' message\t1e-6 \r\n\n  # only one\n' >profile
dpcc -S ok.dpc -o /dev/null
verdict "part of a profile" all 'status_is 0' silent
DPC_PROFILE=absent fails_with 3 "cannot read 'absent': No such file" -S ok.dpc
dpcc --version
verdict "--version reads no profile" all 'status_is 0' silent

# The block size is a compromise between balance and messages: where bytes are dear it is the whole block.
cat >triangle.dpc <<'C'
double A[2048][2048], B[2048][2048];
#pragma dpc distribute A(cyclic(auto), *)
#pragma dpc distribute B(cyclic(auto), *)
int main(void) {
    for (int t = 0; t < 100; t++)
        forall (i = 1:2046, j = 1:i) A[i][j] = B[i-1][j] + B[i+1][j];
    return 0;
}
C
DPC_PROFILE=/dev/null dpcc --np=16 -S triangle.dpc -o - && cp "$SCRATCH/out" defaults
printf 'operation 1e-12\nbyte 1e-3\n' >profile
dpcc --np=16 -S triangle.dpc -o -
verdict "the profile decides" all 'status_is 0' silent 'prints_like "A: cyclic(auto): 128 chosen"' '! grep -q "A: cyclic(auto): 128 chosen" defaults' \
    'grep -q "A: cyclic(auto): [0-9]* chosen" defaults'
