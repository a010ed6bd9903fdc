# Translation grows in proportion to the text: instructions of two sizes, counted (times would not repeat). Where valgrind is.
# shellcheck shell=bash
# Fourfold: 4 where it is linear, 16 where it is quadratic; n log n and tables that grow stay below 5.
needs_counting=$(command -v valgrind)

instructions() { # KIND SIZE
    "$ROOT/bench/translation/source" "$1" "$2" >source.dpc
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$DPCC" -S -o /dev/null source.dpc 2>&1 |
        awk '/Collected/ { count = $NF } END { printf "%.0f", count / 1000 }'
}

grows_with_the_text() { # KIND SIZE
    local least small large
    least=$(instructions "$1" 1) small=$(instructions "$1" "$2") large=$(instructions "$1" $((4 * $2)))
    echo "$1: $least, $small, $large thousand instructions of 1, $2 and $((4 * $2))"
    [ "$small" -gt "$least" ] && [ $((large - least)) -lt $((5 * (small - least))) ]
}

kinds="reductions auto declared uses phases" size=18
[ "$EXHAUSTIVE" ] && kinds=$("$ROOT/bench/translation/source") size=150
for kind in $kinds; do
    if [ "$needs_counting" ]; then verdict "growth of $kind" grows_with_the_text "$kind" "$size"
    else pass "driver/$TEST: growth of $kind (no valgrind)"; fi
done
