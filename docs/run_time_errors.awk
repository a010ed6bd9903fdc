# Tables of what a program says when it runs: messages from the sources of the library, what to do from run_time_errors.txt.  Ends with 1 where one
# has nothing of the other.
#   awk -f run_time_errors.awk run_time_errors.txt SOURCE...

function trim(s) {
    gsub(/^[ \t]+|[ \t]+$/, "", s)
    return s
}

function complain(what) {
    print "docs/run_time_errors.txt: " what >"/dev/stderr"
    wrong = 1
}

# A format as the reader sees it: N for numbers, dots for texts.
function shown(format) {
    gsub(/\\n$/, "", format)
    gsub(/%s%son process/, "... on process", format)
    gsub(/%[+]?(lld|ld|d)/, "N", format)
    gsub(/%[.0-9*]*[sc]/, "...", format)
    gsub(/(\.\.\.)(\.\.\.)+/, "...", format)
    gsub(/^\.\.\.: error: /, "", format)
    gsub(/\|/, "\\|", format)
    return trim(format)
}

function take_rule(line,    bar) {
    if (line ~ /^=/) {
        title[++titles] = trim(substr(line, 2))
        return
    }
    bar = index(line, "|")
    if (!bar) return
    beginning[++rules] = substr(line, 1, bar - 1)
    sub(/ +$/, "", beginning[rules])
    remedy[rules] = trim(substr(line, bar + 1))
    of_title[rules] = titles
}

# The rule with the longest beginning of the message; 0: none.
function rule_of(message,    r, best) {
    best = 0
    for (r = 1; r <= rules; r++)
        if (title[of_title[r]] != "Variables" && index(message, beginning[r]) == 1 && length(beginning[r]) > length(beginning[best])) best = r
    return best
}

function take_message(message,    r) {
    if (message !~ /[a-z] [a-z%'"]|^'%|^out of memory|^[a-z]+ [a-z]+$/ || message ~ /^'?(%[.0-9]*s)+'?$/ || message == "%s: error: " || message == "cannot write " ||
        seen[message]++) return # parts of messages
    r = rule_of(message)
    if (!r) complain("nothing about: " message)
    used[r] = 1
    text[r, ++count[r]] = message
}

# String literals of an error: behind dpc_fail(..., where it is put together in a text.
function take_source(whole,    literal) {
    while (match(whole, /dpc_fail(_[a-z]+)?\([^;"]*,[ \n]*"|snprintf\([a-z_>.-]*(why|reason|text)[^;"]*"|add\(&why, "/)) {
        whole = substr(whole, RSTART + RLENGTH)
        literal = ""
        do {
            match(whole, /^([^"\\]|\\.)*/)
            literal = literal substr(whole, 1, RLENGTH)
            whole = substr(whole, RLENGTH + 2)
        } while (match(whole, /^[ \n]*"/) && (whole = substr(whole, RLENGTH + 1)) != "")
        if (!(name ~ /stats_text|serial_/ && literal !~ /error/)) take_message(literal)
    }
}

# {"DPC_KEEP", true, is_switch, "0 or 1", 0, 1}
function take_setting(line,    part) {
    if (line !~ /^    \{"DPC_[A-Z_]+", /) return
    split(line, part, "\"")
    expected[part[2]] = part[4]
    setting[++set] = part[2]
}

FNR == 1 && NR > FNR {
    if (whole != "") take_source(whole)
    whole = ""
}
NR == FNR {
    if ($0 !~ /^#/) take_rule($0)
    next
}
{
    name = FILENAME
    whole = whole $0 "\n"
    if (name ~ /settings\.c$/) take_setting($0)
}

END {
    take_source(whole)
    print "## When a program runs\n\nA translated program that finds an error prints `FILE:LINE: error: ...`, or `dpc: error: ...` where no statement is at\nfault, once, and all its processes end with exit status 1. Else its exit status is what `main` returns or `exit` gets, also on\nseveral processes; a signal's is 128 + its number, as mpirun reports it. `N` stands for a number, `...` for a text.\n"
    for (t = 1; t <= titles; t++) {
        if (title[t] == "Variables") continue
        printf "### %s\n\n| message | |\n| --- | --- |\n", title[t]
        for (r = 1; r <= rules; r++)
            for (k = 1; of_title[r] == t && k <= count[r]; k++) print "| `" shown(text[r, k]) "` | " (k > 1 ? "" : remedy[r] " ") "|"
        print ""
    }
    print "### Variables of the environment\n\n| variable | value | |\n| --- | --- | --- |"
    for (k = 1; k <= set; k++) {
        r = 0
        for (j = 1; j <= rules; j++)
            if (beginning[j] == setting[k]) r = j
        if (!r) complain("nothing about: " setting[k])
        used[r] = 1
        print "| `" setting[k] "` | " expected[setting[k]] " | " remedy[r] " |"
    }
    for (r = 1; r <= rules; r++)
        if (!used[r]) complain("no message begins so: " beginning[r])
    exit wrong
}
