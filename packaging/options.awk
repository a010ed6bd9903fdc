# From `dpcc --help` to the options of the manual page.
function escaped(t) { gsub(/\\/, "\\e", t); gsub(/-/, "\\-", t); return t }
/^[A-Z].*:$/ { if (!ended) { sub(/:$/, ""); print ".SS " escaped($0) } next }
/^  -/ {
    line = substr($0, 3)
    at = match(line, / [^-=A-Z ]|  /)
    # the option is everything up to its help: at column 27, or one blank behind a longer one
    if (length(line) > 26 && substr(line, 27, 1) == " ") { option = substr(line, 1, 26); help = substr(line, 28) }
    else { n = index(line, " "); option = substr(line, 1, n - 1); help = substr(line, n + 1) }
    sub(/ +$/, "", option)
    print ".TP\n.B " escaped(option) "\n" escaped(help)
}
/^For the C compiler:/ { ended = 1; sub(/^For the C compiler: /, ""); print ".SS For the C compiler\nPassed on: " escaped($0) }
