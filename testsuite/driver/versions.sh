# Statements that several mappings reach: compiled for each, with the text that a declared mapping gives.
# shellcheck shell=bash disable=SC2016
program() { # FORMAT [the redistribution]
    printf '%s\n' 'enum { N = 40 };' 'double A[N], B[N];' '#pragma dpc processors P(*)' "#pragma dpc distribute ($1) onto P :: A, B" \
        'int main(int argc, char **argv) { (void)argv;' '    B[:] = 1;' '    if (argc > 1) {' "${2:-}" '    }' \
        '    forall (i = 1:N-2) A[i] = B[i-1] + B[i+1];' '    return A[3] > 0 ? 0 : 1;' '}'
}
# The lines of the statement, without indentation; the second version has another name for its loops.
statement() { sed -n '/A\[i\] = B\[i-1\] + B\[i+1\]\(;.*\)*$/,/^    *}$/p' "$1" | sed 's/^ *\({ \)*//; s/^\* *//; s/loops_10_2/loops_10/'; }
program block '#pragma dpc redistribute (cyclic(5)) onto P :: A, B' >two.dpc
program 'cyclic(5)' >dealt.dpc
program block >blocks.dpc
dpcc -S -o two.c two.dpc
verdict "one for each mapping of arrays that go together" all 'status_is 0' silent '[ "$(grep -c "A_dist.version == " two.c)" = 1 ]' '! grep -q "B_dist.version" two.c' \
    'grep -q "/\* A is (block), B is (block) \*/" two.c' 'grep -q "{ /\* A is (cyclic(5)), B is (cyclic(5)) \*/" two.c' '[ "$(grep -c "version = 1" two.c)" = 2 ]'
cp two.dpc save.dpc
for other in blocks dealt; do
    cp $other.dpc two.dpc
    dpcc -S -o $other.c two.dpc
    cp save.dpc two.dpc
    statement $other.c >one.text
    statement two.c >both.text
    verdict "the text of $other" all 'status_is 0' '[ -s one.text ]' 'python3 -c "import sys; one, both = (\" \".join(open(f).read().split()) for f in sys.argv[1:]); sys.exit(one not in both)" one.text both.text'
done
dpcc --explain --np=4 two.dpc
verdict "--explain" all 'status_is 0' 'prints_like "compiled twice, for several mappings; this is number 1"' 'prints_like "compiled twice, for several mappings; this is number 2"' \
    'prints_like "A is (block) here"' 'prints_like "A is (cyclic(5)) here"' 'prints_like "each of 4 processes sends: messages 1 to 2, bytes 8 to 16"' \
    'prints_like "each of 4 processes sends: messages [12 to]*, bytes [0-9 to]*"'
dpcc --serial -S -o serial.c two.dpc
verdict "--serial has one, and its comment" all 'status_is 0' '[ "$(grep -c "A\[i\] = " serial.c)" = 2 ]' '! grep -q version serial.c'
sum=$(printf 'B[i-1]*%d+' {1..150})0
sed "s/A\[i\] = .*/A[i] = $sum;/" save.dpc >two.dpc
dpcc -S -o long.c two.dpc
verdict "not of what is long" all 'status_is 0' '! grep -q "version" long.c'
