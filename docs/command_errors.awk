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

# "-S|-c|-E": -S, -c or -E.
function choice(list) {
    gsub(/\\\|/, ", ", list)
    sub(/, [^,]*$/, " or&", list)
    sub(/ or, /, " or ", list)
    return list
}

function shown(format) {
    gsub(/%(ld|zu|d)/, "N", format)
    gsub(/%[.0-9]*s/, "...", format)
    gsub(/\|/, "\\|", format)
    return trim(format)
}

# What stands there in place of literals.
function named_help(    name, all) {
    if (!match(whole, /^([a-z_]+\([^;"]*\)|[a-z_]+|NULL),/)) return ""
    name = substr(whole, 1, RLENGTH - 1)
    whole = substr(whole, RLENGTH)
    if (name ~ /^usage_of/) return "as in ..."
    if (name ~ /^help_with_file/) return "what the reason asks for"
    if (name ~ /^text_of/) return "one of those that there are"
    if (name ~ /^help_after_signal/) return "what the signal says"
    return text_of_name[name]
}

# const char *const NAME = "...";
function take_names(source,    name, rest) {
    rest = whole
    while (match(source, /const char \*const [a-z_]+ =[ \n]*/)) {
        name = substr(source, RSTART + 18, RLENGTH - 18)
        sub(/ =.*/, "", name)
        source = whole = substr(source, RSTART + RLENGTH)
        text_of_name[name] = literals()
    }
    whole = rest
}

function take_source(    status, help, message) {
    take_names(whole)
    while (match(whole, /[^a-z_]fail\([ \n]*(STATUS_[A-Z]+|[a-z_]+ \?[^,]*),[ \n]*/)) {
        status = substr(whole, RSTART, RLENGTH)
        whole = substr(whole, RSTART + RLENGTH)
        if (match(whole, /^[a-z_() \n]+\?[ \n]*"/)) whole = substr(whole, RLENGTH) # a condition for the help
        calls = match(whole, /^(leave_out|arena_format)\([^",]*,[ \n]*"/) ? substr(whole, 1, RLENGTH - 1) : ""
        whole = substr(whole, length(calls) + 1)
        help = shown(literals())
        if (calls ~ /^leave_out/) help = "leave out " choice(help)
        if (calls != "") sub(/^[^;"]*("[^"]*")?\),/, ",", whole) # the call's other arguments
        if (match(whole, /^[ \n]*:[ \n]*NULL/)) whole = substr(whole, RLENGTH + 1)
        if (help == "") help = named_help()
        sub(/^,/, "", whole)
        message = shown(literals())
        match(status, /STATUS_[A-Z]+/)
        if (message == "" || seen[message, help]++) continue
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
