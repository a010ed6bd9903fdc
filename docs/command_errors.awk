# A table of the command's own errors: fail(STATUS_COMMAND, "help", "message", ...) in the sources of driver/, and the exit statuses in driver.h.
#   awk -f command_errors.awk SOURCE...

function trim(s) {
    gsub(/^[ \t]+|[ \t]+$/, "", s)
    return s
}

# The adjacent string literals that `whole` begins with; the rest stays in `whole`.
function literals(    all) {
    all = ""
    while (match(whole, /^[ \n]*"([^"\\]|\\.)*"/)) {
        all = all substr(whole, RSTART, RLENGTH)
        whole = substr(whole, RSTART + RLENGTH)
    }
    gsub(/"[ \n]*"/, "", all)
    gsub(/^[ \n]*"|"$/, "", all)
    return all
}

function shown(format) {
    gsub(/%(ld|zu|d)/, "N", format)
    gsub(/%[.0-9]*s/, "...", format)
    gsub(/\|/, "\\|", format)
    return trim(format)
}

function take_source(    status, help, message) {
    while (match(whole, /[^a-z_]fail\([ \n]*(STATUS_[A-Z]+|[a-z_]+ \?[^,]*),[ \n]*/)) {
        status = substr(whole, RSTART, RLENGTH)
        whole = substr(whole, RSTART + RLENGTH)
        if (match(whole, /^[a-z_() \n]+\?[ \n]*"/)) whole = substr(whole, RLENGTH) # a condition for the help
        help = literals()
        if (match(whole, /^[ \n]*:[ \n]*NULL/)) whole = substr(whole, RLENGTH + 1)
        if (help == "") sub(/^([a-z]+|NULL|arena_format\([^)]*\))/, "", whole)
        sub(/^,/, "", whole)
        message = shown(literals())
        match(status, /STATUS_[A-Z]+/)
        if (message == "" || seen[message]++) continue
        text[++rows] = message
        of[rows] = substr(status, RSTART, RLENGTH)
        remedy[rows] = trim(help)
    }
}

FNR == 1 && NR > 1 {
    take_source()
    whole = ""
}
{ whole = whole $0 "\n" }
FILENAME ~ /driver\.h$/ && /^    STATUS_[A-Z]+ = [0-9]+/ {
    number[$1] = $3 + 0
    if (match($0, /\/\* .* \*\//)) meaning[++statuses] = number[$1] "\t" substr($0, RSTART + 3, RLENGTH - 6)
}

END {
    take_source()
    print "## The command\n\nExit statuses of dpcc, but with `--run`, whose status is the program's:\n\n| status | |\n| --- | --- |\n| 0 | success |"
    for (s = 1; s <= statuses; s++) {
        split(meaning[s], part, "\t")
        print "| " part[1] " | " part[2] " |"
    }
    print "\nMessages without a place in a program, `dpcc: error: ...`:\n\n| message | status | help |\n| --- | --- | --- |"
    for (status = 1; status <= 3; status++)
        for (r = 1; r <= rows; r++)
            if (number[of[r]] == status) print "| `" text[r] "` | " status " | " (remedy[r] == "" ? "" : remedy[r] " ") "|"
    print ""
}
