#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154,SC2317 # part of run_driver
# Editors: both grammars have all words of the dialect; Vim finds them and reads dpcc's messages; a dialogue with --lsp; --diagnostics=json.
EDITORS=$ROOT/editors

# ---- Words: those of the compiler's tables.
words_of_tables() {
    sed -n 's/^DIRECTIVE("\([a-z]*\)".*/\1/p' "$ROOT/lexer/keywords.def"
    sed -n 's/^INTRINSIC([A-Z_]*, *\([a-z_]*\),.*/\1/p' "$ROOT/analysis/model/intrinsics.def"
    sed -n 's/^OPERATION([A-Z_]*, *"\([a-z_]*\)".*/\1/p' "$ROOT/analysis/model/operations.def"
    printf '%s\n' block cyclic gen_block auto onto with on private reduction forall npy_save npy_load hdf5_save hdf5_load pgm_save dpc_wtime dpc_nprocs dpc_rank dpc_view
}
words_of_tables >words
verdict "the tables have words" [ "$(wc -l <words)" -ge 45 ]
lacks() { # FILE: words that stand nowhere in it
    local word
    while read -r word; do grep -qw "$word" "$1" || echo "$1 lacks $word"; done <words | tee lacking
    [ ! -s lacking ]
}
verdict "words of the Vim syntax" lacks "$EDITORS/vim/syntax/dpc.vim"
verdict "words of the TextMate grammar" lacks "$EDITORS/vscode/syntaxes/dpc.tmLanguage.json"

# ---- Vim
cat >good.dpc <<'T'
double A[100];
#pragma dpc distribute A(cyclic(8))
int main(void) { forall (i = 0:99) A[i] = sum(A[:]); return 0; }
T
printf 'double A[8];\n#pragma dpc distribute A(block)\nint main(void) { B[:] = 1; return 0; }\n' >bad.dpc
cat >look.vim <<'T'
set nocompatible
let &runtimepath = $EDITORS . '/vim,' . $VIMRUNTIME
filetype plugin on
syntax on
set shellpipe=>%s\ 2>&1
edit good.dpc
let found = [&filetype]
for place in [[2, 3], [2, 13], [2, 26], [3, 18], [3, 43], [3, 1]]
  call add(found, synIDattr(synID(place[0], place[1], 1), 'name'))
endfor
edit bad.dpc
silent! make
for error in getqflist()
  if error.valid | call add(found, fnamemodify(bufname(error.bufnr), ':t') . ':' . error.lnum . ':' . error.col . error.type) | endif
endfor
call writefile(found, 'found')
quitall!
T
if command -v vim >/dev/null && vim --version | grep -q '+syntax'; then
    export EDITORS
    PATH=$(dirname "$DPCC"):$PATH timeout 60 vim -es -u look.vim </dev/null >"$SCRATCH/out" 2>"$SCRATCH/err"
    verdict "Vim" [ "$(tr '\n' ' ' <found)" = "dpc dpcDirective dpcDirectiveWord dpcFormat dpcForall dpcIntrinsic cType bad.dpc:3:18e " ]
    cat found >&2
else
    pass "driver/$TEST: Vim skipped, as there is no Vim with syntax"
fi

# ---- VS Code: the grammar on texts with the scopes that are expected, and the extension's client with a real server, where npm's packages are there
# or (--exhaustive) can be installed.
modules=$EDITORS/vscode/node_modules
if [ ! -d "$modules" ] && [ "${EXHAUSTIVE-}" ] && command -v npm >/dev/null; then
    mkdir npm && (cd npm && timeout 120 npm install --no-audit --no-fund vscode-tmgrammar-test vscode-languageclient@9) >"$SCRATCH/out" 2>&1 && modules=$PWD/npm/node_modules
fi
if [ -x "$modules/.bin/vscode-tmgrammar-test" ]; then
    STATUS=0
    (cd "$EDITORS/vscode" && "$modules/.bin/vscode-tmgrammar-test" 'test/*.dpc') >"$SCRATCH/out" 2>&1 || STATUS=$?
    verdict "TextMate grammar" status_is 0
else
    pass "driver/$TEST: TextMate grammar skipped, as editors/vscode/node_modules is not installed"
fi

if [ -d "$modules/vscode-languageclient" ] && command -v node >/dev/null; then
    sed 's/= 1;/= missing;/' >wrong.dpc <<'E'
double A[100];
#pragma dpc distribute A(block)
int main(void) {
    A[:] = 1;
    return 0;
}
E
    sed 's/missing/1/' wrong.dpc >right.dpc
    DPCC=$DPCC NODE_PATH=$modules timeout 200 node "$EDITORS/vscode/test/client.js" wrong.dpc right.dpc >said 2>"$SCRATCH/err"
    while read -r result name; do verdict "VS Code: $name" [ "$result" = PASS ]; done <said
    verdict "VS Code's client has said all" [ "$(grep -c ^PASS said)" = 8 ]
    rm said wrong.dpc right.dpc
else
    pass "driver/$TEST: VS Code's client skipped, as editors/vscode/node_modules is not installed"
fi

# The extension's package in a real VS Code: npm has one, the workbench of code-server, which a browser shows.
real_editor() {
    local version
    command -v npm >/dev/null && version=$(node --version) && version=${version#v} && [ "${version%%.*}" -ge 20 ] || { echo "there is no npm with node 20 or later"; return; }
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "there is no Chromium"; return; }
    # Not its scripts: they compile what terminals and logs need, and fetch ripgrep from elsewhere.
    mkdir editor && (cd editor && timeout 300 npm install --no-audit --no-fund --ignore-scripts code-server@4.100.3 playwright-core@1 && cd node_modules/code-server/lib/vscode &&
        timeout 300 npm install --no-audit --no-fund --ignore-scripts --omit=dev) >"$SCRATCH/out" 2>&1 || { echo "npm cannot install code-server"; return; }
    mkdir -p extension/editors && cp -r "$EDITORS/vscode" extension/editors && cp "$ROOT/LICENSE" extension && rm -rf extension/editors/vscode/node_modules &&
        (cd extension/editors/vscode && timeout 120 npm install --no-audit --no-fund --omit=dev && timeout 120 npm run package) >"$SCRATCH/out" 2>&1 || echo "npm cannot make the package"
}
if [ "${EXHAUSTIVE-}" ]; then
    real_editor >obstacle
    if [ -s obstacle ]; then
        pass "driver/$TEST: VS Code itself skipped, as $(cat obstacle)"
    else
        mkdir window
        DPCC=$DPCC CHROMIUM=$browser NODE_PATH=$PWD/editor/node_modules timeout -k 5 900 node "$EDITORS/vscode/test/workbench.js" \
            editor/node_modules/code-server/lib/vscode extension/editors/vscode/*.vsix window >said 2>"$SCRATCH/err"
        while read -r result name; do verdict "VS Code itself: $name" [ "$result" = PASS ]; done <said
        verdict "VS Code itself: all has been said" [ "$(grep -c ^PASS said)" = 26 ]
    fi
    rm -rf obstacle editor extension window said
else
    pass "driver/$TEST: VS Code itself skipped, without --exhaustive"
fi

# ---- --diagnostics=json
dpcc -S -o - --diagnostics=json bad.dpc
verdict "--diagnostics=json" all 'status_is 1' \
    'says "^{\"file\":\"bad.dpc\",\"line\":3,\"column\":18,\"end_column\":19,\"severity\":\"error\",\"id\":\"[a-z_]*\",\"message\":\".*\"notes\":\\[.*\"help\":\\["'
dpcc -S -o - --diagnostics=json good.dpc
verdict "no diagnostics" all 'status_is 0' 'prints_like main'
printf '#include "absent.h"\n' >absent.dpc
dpcc -S -o - --diagnostics=json absent.dpc
verdict "the preprocessor's" all 'says "^{\"file\":\"absent.dpc\",\"line\":1,.*\"severity\":\"error\",\"message\":\"absent.h: No such file"' '! grep -qv "^{" "$SCRATCH/err"'
dpcc --diagnostics=json -S none.dpc
verdict "the command's" all 'status_is 3' 'says "^{\"severity\":\"error\",\"message\":\".*none.dpc"'
fails_with 2 "unknown value 'xml' of --diagnostics" --diagnostics=xml good.dpc

# ---- --lsp
fails_with 2 "takes no input" --lsp good.dpc
fails_with 2 "no option of translation" --lsp --np=4
if command -v python3 >/dev/null; then
    mkdir dialogue temporary
    TMPDIR=$PWD/temporary timeout 200 "$ROOT/testsuite/lsp_client" "$DPCC" dialogue >said 2>"$SCRATCH/err"
    grep '^#' said
    while read -r result name; do verdict "--lsp: $name" [ "$result" = PASS ]; done < <(grep -E '^(PASS|FAIL) ' said)
    verdict "--lsp: the dialogue came to its end" grep -q '^PASS exit without shutdown' said
    sleep 0.5
    verdict "--lsp: nothing is left" [ -z "$(ls temporary)" ]
else
    pass "driver/$TEST: --lsp skipped, as there is no python3"
fi
