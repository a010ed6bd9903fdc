#!/usr/bin/env bash
# Writes docs/errors.md: each message of ir/diagnostics.def with a wrong program of testsuite/errors that yields it, what dpcc says of it, and its
# right neighbour.  (make docs)
#   docs/errors.sh DPCC >docs/errors.md
set -u
dpcc=$(realpath "${1:?}")
cd "$(dirname "$0")/.." || exit 1
here=testsuite/errors
export DPC_PROFILE=/dev/null LC_ALL=C
unset NO_COLOR

# Lines FILE TEXT: what the wrong programs expect, shorter files first.
for file in $(wc -l $here/*.dpc | sort -n | awk '$2 ~ /\.dpc$/ { print $2 }'); do
    sed -n 's,^/\* expect[a-z-]*: [0-9:]* \(error\|warning\): \(.*[^ ]\) *\*/$,\2,p' "$file" | sed "s,^,$file ,"
done >"${TMPDIR:-/tmp}/errors.$$"
trap 'rm -f "${TMPDIR:-/tmp}/errors.$$"' EXIT

# Of every message: id, name of the warning or ERROR, group, format, file (or -).
messages() {
    awk -v expected="${TMPDIR:-/tmp}/errors.$$" '
        function pattern(format) {
            gsub(/[][().*+?^$|\\{}]/, "\\\\&", format)
            gsub(/%[-0-9]*(lld|zu|d|s)/, ".*", format)
            return format
        }
        BEGIN { while ((getline line < expected) > 0) { n++; file[n] = line; sub(/ .*/, "", file[n]); text[n] = substr(line, length(file[n]) + 2) } }
        /^\/\* [a-z ]+ \*\/$/ { group = substr($0, 4, length($0) - 6) }
        /^DIAGNOSTIC\(/ {
            id = $0; sub(/^DIAGNOSTIC\(/, "", id); sub(/,.*/, "", id)
            kind = $0; sub(/^[^,]*, */, "", kind); sub(/,.*/, "", kind)
            format = $0; sub(/^[^"]*"/, "", format); sub(/"\)$/, "", format)
            found = "-"
            for (k = 1; k <= n && format != "%s"; k++) {
                own = file[k] ~ ("/" id "\\.dpc$")
                if (text[k] ~ ("^" pattern(format)) && (found == "-" || own)) { found = file[k]; if (own) break }
            }
            if (format == "%s") found = "testsuite/errors/other_statements.dpc"
            print id "\t" kind "\t" group "\t" found "\t" format
        }' ir/diagnostics.def
}

# A program without the lines that the tests read.
program() {
    echo '```c'
    sed '/^\/\* expect[a-z-]*: .*\*\/$/d' "$1"
    echo '```'
}

# What dpcc says of FILE, with this message first.
said() {
    local options=()
    [ -e "${1%.dpc}.flags" ] && read -ra options <"${1%.dpc}.flags"
    echo '```'
    "$dpcc" -Wall -S -o /dev/null "${options[@]}" "$1" 2>&1 </dev/null | sed "s,^$here/,," | head -n 12
    echo '```'
}

cat <<'T'
# Messages of dpcc

Each message, with a wrong program, what dpcc says of it and a program that is right. `make docs` writes this file from ir/diagnostics.def and
testsuite/errors, whose tests hold all of it true: lines and columns count the comment lines of the test, which are left out here. Names of warnings
are those of `-WNAME`.

T
all=$(messages)
for group in $(cut -f 3 <<<"$all" | uniq | tr ' ' '_'); do
    printf '* **%s**:' "${group//_/ }"
    awk -F '\t' -v group="${group//_/ }" '$3 == group { printf "%s [%s](#%s)", (k++ ? "," : ""), $1, $1 } END { print "" }' <<<"$all"
done
group=
while IFS=$'\t' read -r id kind subject file format; do
    [ "$subject" = "$group" ] || printf '\n## %s\n' "${subject^}"
    group=$subject
    printf '\n### %s\n\n' "$id"
    # shellcheck disable=SC2016 # backquotes of Markdown
    if [ "$kind" = ERROR ]; then printf '`%s`\n\n' "$format"; else
        printf 'Warning `-W%s`: `%s`\n\n' "$(sed -n "s/^WARNING($kind, *\"\([^\"]*\)\".*/\1/p" ir/warnings.def)" "$format"; fi
    if [ "$file" = - ]; then
        printf 'No program of the test suite shows it.\n'
        continue
    fi
    program "$file"
    echo
    said "$file"
    right=${file%.dpc}_ok.dpc
    [ -e "$right" ] && printf '\nRight:\n\n' && program "$right"
done <<<"$all"
