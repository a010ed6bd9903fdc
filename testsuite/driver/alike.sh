# Arrays of which the source does not show whether they are divided alike: the version is picked by one comparison where they are created. What
# moves is counted: where extents are equal, what a declaration with equal ones moves; where they nearly are, ghost cells.
# shellcheck shell=bash disable=SC2016,SC2034
program() { # EXTENT of the second array
    printf '%s\n' '#include <stdlib.h>' 'int main(int argc, char **argv) {' '    const long n = argc > 1 ? atol(argv[1]) : 4, m = argc > 2 ? atol(argv[2]) : 4;' \
        "    double A[n], B[$1];" '#pragma dpc distribute (block) :: A, B' '    A[:] = 1;' \
        '    forall (i = 1:n-2) B[i] = A[i-1] + A[i+1];' '    forall (i = 1:n-2) A[i] = B[i];' '    return m < 0 || A[1] != 2;' '}'
}
program m >other.dpc
program n >same.dpc
bytes() { grep -o '"bytes": \[[^]]*\]' "$1" | grep -o '[0-9][0-9]*' | awk '{ n += $1 } END { print n + 0 }'; }
dpcc -S -o other.c other.dpc
verdict "one comparison, where the second is created" all 'status_is 0' silent '[ "$(grep -c "B_like_A = B_upper0 == A_upper0;" other.c)" = 1 ]' \
    '[ "$(grep -c "if (B_like_A)" other.c)" = 1 ]' '[ "$(grep -c "else if (B_near_A)" other.c)" = 1 ]'
statement() { sed -n "/A\[i\] = B\[i\] \*\/$/,/^ *}$/p" "$1" | sed 's/^ *//; s/^DPC_\(LOCAL\|CHANGE\|FORALL_ON\|FORALL_ON_COMPARED\|CHANGE_ON\|CHANGE_ON_COMPARED\|FORALL_AT\|CHANGE_AT\)(.*) {/{/; /DPC_SPACE\|dpc_on(\|dpc_begin_local\|dpc_check(/d; /^dpc_changed(&B/d' | sed '/^}$/q' | tr '\n' ' '; }
dpcc -S -o same.c same.dpc
verdict "the text of equal extents" all 'status_is 0' '! grep -q "B_like\|near" same.c' '[ -n "$(statement same.c)" ]' '[ "$(statement same.c)" = "$(statement other.c)" ]'
# The comparison stands where the second one is created, wherever the first one is.
{ echo 'double A[4000];' && echo '#pragma dpc distribute (block) :: A' && program m | sed 's/A\[n\], //; s/:: A, B/:: B/'; } >outside.dpc
dpcc -S -o outside.c outside.dpc
verdict "one comparison with an array of the file" all 'status_is 0' '[ "$(grep -c "B_like_A = B_upper0 == 3999;" outside.c)" = 1 ]' \
    '[ "$(grep -c "if (B_like_A)" outside.c)" = 1 ]'
dpcc --explain other.dpc
verdict "--explain says so" all 'status_is 0' 'prints_like "compiled three times, as extents and block sizes may come out; this is number 1: B is divided as A"' \
    'prints_like "number 2: B is divided nearly as A"' 'prints_like "number 3: divided in other ways"'
for kind in $MPIS; do
    [ "$kind" = smpi ] || [ "$MPIS" = "$kind" ] || continue # simulated processes tell all
    export MPICC
    MPICC=$(mpicc_of "$kind")
    for program in other same; do dpcc -O0 -o $program.out $program.dpc; done
    for extents in "4000 4000" "4000 4001" "4000 4100"; do
        for program in other same; do
            # shellcheck disable=SC2086
            DPC_STATS=$program.json dpcc -O0 --run -n 4 $program.dpc -- $extents
        done
        moved=$(bytes other.json) least=$(bytes same.json)
        case $extents in
        "4000 4000") verdict "equal extents, $kind" all 'status_is 0' '[ "$moved" = "$least" ]' '[ "$moved" = 48 ]' ;;
        "4000 4001") verdict "nearly equal extents, $kind" all 'status_is 0' '[ "$moved" -gt "$least" ]' '[ "$moved" -lt 400 ]' ;;
        *) verdict "other extents, $kind" all 'status_is 0' '[ "$moved" -gt 1000 ]' ;;
        esac
    done
done
