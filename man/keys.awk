# keys.awk - makes fxtop-keys(7): awk -f man/keys.awk KEYS man/fxtop-keys.in
#
# KEYS is the output of fxtop --list-keys: keys, command and help, separated by tabs. A line `@COMMAND ARGUMENTS` of
# the page becomes the keys, the help and the name of the command. It fails if a command has no such line or two.
BEGIN {
    FS = "\t"
    sign["^"] = "\\(ha"
    sign["'"] = "\\(aq"
}
function roff(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    return s
}
# A delimiter alone would be taken for one of the sentence.
function key(s) {
    if (s in sign)
        return sign[s]
    return (s ~ /^[][().,:;?!|]$/ ? "\\&" : "") roff(s)
}
function fault(s) {
    print "fxtop-keys.in: " s >"/dev/stderr"
    faults++
}
function item(name, arguments,    n, i, v, line) {
    n = split(keys[name], v, " ")
    line = ".It"
    for (i = 1; i <= n; i++)
        line = line " Ic " key(v[i])
    if (n == 0)
        line = line " Ic \\&:" roff(name)
    print line arguments
    print help[name]
    print ".Pq Cm " roff(name) " ."
}
NR == FNR {
    keys[$2] = $1
    help[$2] = $3
    next
}
/^@/ {
    name = substr($0, 2)
    sub(/ .*/, "", name)
    if (!(name in keys))
        fault("there is no command " name)
    else if (described[name]++)
        fault(name " is there twice")
    else
        item(name, substr($0, length(name) + 2))
    next
}
{ print }
END {
    for (name in keys)
        if (!(name in described))
            fault("lacks the command " name)
    exit faults > 0
}
