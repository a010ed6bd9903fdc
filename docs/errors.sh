#!/usr/bin/env bash
# Writes docs/errors.md: each message of ir/diagnostics.def with a wrong program of testsuite/errors that yields it, what dpcc says of it, and its
# right neighbour; then tables of what programs say when they run, from the sources of the library.  (make docs)  Ends with 1 where a message has
# no program, no right neighbour, or nothing is said about it.
#   docs/errors.sh DPCC >docs/errors.md
set -u
dpcc=$(realpath "${1:?}")
cd "$(dirname "$0")/.." || exit 1
root=$PWD here=testsuite/errors wrong=0
export DPC_PROFILE=/dev/null LC_ALL=C
unset NO_COLOR
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

complain() { echo "docs/errors.sh: $1" >&2 && wrong=1; }

# Lines FILE TEXT: what the wrong programs expect, shorter files first.
for file in $(wc -l $here/*.dpc | sort -n | awk '$2 ~ /\.dpc$/ { print $2 }'); do
    sed -n 's,^/\* expect[a-z-]*: [0-9:]* \(error\|warning\): \(.*[^ ]\) *\*/$,\2,p' "$file" | sed "s,^,$file ,"
done >"$scratch/expected"

# Of every message: id, name of the warning or ERROR, group, format, file (or -).
messages() {
    awk -v expected="$scratch/expected" '
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
            print id "\t" kind "\t" group "\t" found "\t" pattern(format) "\t" format
        }' ir/diagnostics.def
}

# FILE without the lines that the tests read.
program() {
    sed '/^\/\* expect[a-z-]*: .*\*\/$/d' "$1" | sed '/./,$!d'
}

# said FILE PATTERN: what dpcc says with this message of the program as it is shown, with notes and help; twice at most.
said() {
    local options=() name
    name=$(basename "$1")
    [ -e "${1%.dpc}.flags" ] && read -ra options <"${1%.dpc}.flags"
    program "$1" >"$scratch/$name"
    (cd "$scratch" && "$dpcc" -I "$root/$here" -Wall -S -o /dev/null "${options[@]}" "$name" 2>&1 </dev/null) >"$scratch/said"
    PATTERN=": (error|warning): $2( |\$)" awk '
        /^[^ ].*:[0-9]+:[0-9]+: (error|warning): / { shown = $0 ~ ENVIRON["PATTERN"] && ++found <= 2 }
        shown' "$scratch/said"
}

cat <<'T'
# Messages of dpcc

Each message of the compiler with a wrong program, what dpcc says of it, and a program that is right; then what
[the command](#the-command) and [translated programs](#when-a-program-runs) say. `make docs` writes this file from the
sources and testsuite/errors, whose tests hold all of it true. Names of warnings are those of `-WNAME`.

T
all=$(messages)
for group in $(cut -f 3 <<<"$all" | uniq | tr ' ' '_'); do
    printf '* **%s**:' "${group//_/ }"
    awk -F '\t' -v group="${group//_/ }" '$3 == group { printf "%s [%s](#%s)", (k++ ? "," : ""), $1, $1 } END { print "" }' <<<"$all"
done
group=
while IFS=$'\t' read -r id kind subject file pattern format; do
    [ "$subject" = "$group" ] || printf '\n## %s\n' "${subject^}"
    group=$subject
    printf '\n### %s\n\n' "$id"
    # shellcheck disable=SC2016 # backquotes of Markdown
    if [ "$kind" = ERROR ]; then printf '`%s`\n\n' "$format"; else
        printf 'Warning `-W%s`: `%s`\n\n' "$(sed -n "s/^WARNING($kind, *\"\([^\"]*\)\".*/\1/p" ir/warnings.def)" "$format"; fi
    if [ "$file" = - ]; then
        complain "no program of testsuite/errors shows $id"
        continue
    fi
    printf '```c\n%s\n```\n\n' "$(program "$file")"
    said "$file" "$pattern" >"$scratch/shown"
    [ -s "$scratch/shown" ] || complain "$file does not show $id"
    printf '```\n%s\n```\n' "$(cat "$scratch/shown")"
    right=${file%.dpc}_ok.dpc
    [ -e "$right" ] || complain "no right neighbour of $file"
    [ -e "$right" ] && printf '\nRight:\n\n```c\n%s\n```\n' "$(program "$right")"
done <<<"$all"

mapfile -t sources < <(LC_ALL=C ls driver/*.c driver/driver.h)
printf '\n'
awk -f docs/command_errors.awk "${sources[@]}" || wrong=1
mapfile -t sources < <(find runtime -name '*.[ch]' | sort)
awk -f docs/run_time_errors.awk docs/run_time_errors.txt "${sources[@]}" || wrong=1
exit $wrong
