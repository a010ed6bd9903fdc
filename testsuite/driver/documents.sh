# What README.md and the documents for users show: their programs, commands and outputs, and excerpts of generated text.
# shellcheck disable=SC2034 # STATUS: for verdict
# shellcheck shell=bash
PATH=$BUILD:$PATH
export OMPI_MCA_rmaps_base_oversubscribe=1
for document in README docs/tutorial docs/faq docs/cookbook; do
    rm -rf shown && mkdir shown && ln -s "$ROOT/examples" shown/examples
    STATUS=0
    timeout -k 5 $((4 * LIMIT)) "$ROOT/testsuite/check_document" "$ROOT/$document.md" shown >"$SCRATCH/out" 2>"$SCRATCH/err" || STATUS=$?
    verdict "$document.md" all 'status_is 0' 'prints_like "^[1-9][0-9]* steps, 0 differ"'
done

# What make demo shows.
(cd "$ROOT" && timeout -k 5 "$LIMIT" testsuite/demo "$BUILD/dpcc" examples/saxpy.dpc) >"$SCRATCH/out" 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
verdict "make demo: the directives, the statement, its exchange, and that the results are equal" all 'status_is 0' 'silent' \
    '[ "$(grep -c "^#pragma dpc" "$SCRATCH/out")" = 3 ]' 'prints_like "^ *forall .i = 0:ITERATIONS-1. A"' 'prints_like MPI_Irecv' 'prints_like MPI_Isend' \
    '! grep -q include "$SCRATCH/out"' 'prints_like "^The results are equal"'

# Messages, each with its programs.
"$ROOT/docs/errors.sh" "$BUILD/dpcc" >errors.md 2>"$SCRATCH/err" && STATUS=0 || STATUS=$?
verdict "docs/errors.md is what make docs writes" same errors.md "$ROOT/docs/errors.md"
verdict "each message has a wrong and a right program, or a line" all 'status_is 0' silent
awk '/^## The command/ { exit } /^### / { if (id != "" && !helps) print id; id = $2; helps = 0 } /^help: / { helps = 1 }' errors.md >"$SCRATCH/helpless"
verdict "each message says what to write" [ ! -s "$SCRATCH/helpless" ]

# The API reference: Doxygen has nothing to say about the headers' comments.
if command -v doxygen >/dev/null; then
    { cat "$ROOT/docs/Doxyfile" && echo "OUTPUT_DIRECTORY = $PWD/reference"; } | (cd "$ROOT" && doxygen -) >"$SCRATCH/out" 2>&1 && STATUS=0 || STATUS=$?
    verdict "reference" all 'status_is 0' 'prints ""' 'grep -q dpc_plan_redistribution reference/html/redistribution_8h.html'
fi

# The checker notices what is wrong.
printf '%s\n' '```console' '$ echo one' 'two' '```' >wrong.md
mkdir -p shown
"$ROOT/testsuite/check_document" wrong.md shown >"$SCRATCH/out" 2>&1 && STATUS=0 || STATUS=$?
verdict "another output is noticed" all 'status_is 1' 'prints_like "^1 steps, 1 differ"'
printf '%s\n' '<!-- file: a.txt -->' '```' 'a' 'b' '```' '<!-- part: a.txt -->' '```' 'b' 'a' '```' >wrong.md
"$ROOT/testsuite/check_document" wrong.md shown >"$SCRATCH/out" 2>&1 && STATUS=0 || STATUS=$?
verdict "lines in another order are noticed" all 'status_is 1' 'prints_like "not there: a"'
printf '%s\n' '```console' '$ printf "a\\nb\\nc 17 d\\n"' 'a' '...' 'c ... d' '```' >right.md
"$ROOT/testsuite/check_document" right.md shown >"$SCRATCH/out" 2>&1 && STATUS=0 || STATUS=$?
verdict "dots stand for anything" all 'status_is 0'

# Each example is named with what it shows.
(cd "$ROOT/examples" && for file in *.dpc; do grep -q "^| \[$file\]($file) | " README.md || echo "$file"; done) >"$SCRATCH/unnamed"
verdict "examples/README.md" [ ! -s "$SCRATCH/unnamed" ]

# Links between documents lead somewhere.
(cd "$ROOT" && grep -oE '\]\([^)#: ]+' README.md CONTRIBUTING.md docs/*.md examples/README.md | sed 's/\](/ /' | while IFS=' ' read -r from to; do
    from=${from%:}
    [[ $to == http* ]] && continue
    [ -e "$(dirname "$from")/$to" ] || echo "$from: $to"
done) >"$SCRATCH/broken"
verdict "links" [ ! -s "$SCRATCH/broken" ]
