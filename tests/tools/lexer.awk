# lexer.awk - splits C sources for words.sh and house.sh.
#
# Prints a line for each part: FILE, LINE, KIND and TEXT, separated by tabs. KIND is "comment" (one line of a comment,
# without its marks; an empty text ends a paragraph), "end" (after the last line of a comment), "string" (a literal) or
# "code" (the line with comments removed and literals emptied).
function part(kind, text) {
    print FILENAME "\t" FNR "\t" kind "\t" text
}
function comment_line(text) {
    sub(/^[ \t]*\*?/, "", text)
    sub(/[ \t]+$/, "", text)
    part("comment", text)
}
FNR == 1 { inside = 0 }
{
    line = $0
    gsub(/\t/, "    ", line)
    code = ""
    while (line != "") {
        if (inside) {
            stop = index(line, "*/")
            if (stop == 0) {
                comment_line(line)
                line = ""
                break
            }
            comment_line(substr(line, 1, stop - 1))
            part("end", "")
            line = substr(line, stop + 2)
            inside = 0
            continue
        }
        if (!match(line, /\/\*|\/\/|"|'/)) {
            code = code line
            break
        }
        mark = substr(line, RSTART, RLENGTH)
        code = code substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        if (mark == "/*") {
            inside = 1
            if (line == "")
                part("comment", "")
        } else if (mark == "//") {
            comment_line(line)
            part("end", "")
            line = ""
        } else {
            text = ""
            while (line != "" && substr(line, 1, 1) != mark) {
                n = substr(line, 1, 1) == "\\" ? 2 : 1
                text = text substr(line, 1, n)
                line = substr(line, n + 1)
            }
            line = substr(line, 2)
            if (mark == "\"" && code !~ /^[ \t]*#[ \t]*include/)
                part("string", text)
            code = code mark mark
        }
    }
    part("code", code)
}
