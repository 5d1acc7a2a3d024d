# screens.awk - holds a drawn screen against what a case expects of it. awk -f screens.awk WANTED DRAWN
#
# Prints what the case would have to expect: its masks stay, lines that are not as drawn are replaced. This is WANTED
# itself if and only if DRAWN is as expected. Lines are aligned at the least cost: a line that is drawn as expected is
# free, and so is what the mask "…" takes; another line costs the more the less it is alike. Bytes, not characters:
# LC_ALL=C.
BEGIN {
    mask = "\342\200\246"
}

FILENAME == ARGV[1] { # the other file may be the first with a line
    wanted[++m] = $0
    next
}

{
    drawn[++n] = $0
}

# Is the last character the mark of a mask? "\…" is the character itself.
function open_ended(s) {
    return length(s) > 3 && substr(s, length(s) - 2) == mask && substr(s, length(s) - 3, 1) != "\\"
}

function head(s) {
    return substr(s, 1, length(s) - 3)
}

function holds(w, d) {
    return open_ended(w) ? substr(d, 1, length(w) - 3) == head(w) : w == d
}

# 1 to 2: how little two lines have in common, at their begins and ends.
function unlike(a, b,    i, j, k) {
    i = length(a)
    j = length(b)
    k = i < j ? i : j
    for (same = 0; same < k && substr(a, same + 1, 1) == substr(b, same + 1, 1); same++) {}
    for (k -= same; k > 0 && substr(a, i, 1) == substr(b, j, 1); k--) {
        i--
        j--
        same++
    }
    return 2 - 2 * same / (length(a) + length(b) + 1)
}

# As many characters of d as w has before its mask.
function cut(w, d,    i, k) {
    w = head(w)
    for (i = 1; i <= length(w); i++)
        k += substr(w, i, 1) !~ /[\200-\277]/
    for (i = 1; i <= length(d) && k >= 0; i++)
        if (substr(d, i, 1) !~ /[\200-\277]/ && k-- == 0)
            break
    return substr(d, 1, i - 1) mask
}

# Is each line drawn as expected? Where it is not, the last mask takes one line more.
function matches(    i, j, masked, taken) {
    for (i = j = 1; j <= n;) {
        if (i <= m && wanted[i] == mask) {
            masked = i++
            taken = j
        } else if (i <= m && holds(wanted[i], drawn[j])) {
            i++
            j++
        } else if (masked) {
            i = masked + 1
            j = ++taken
        } else
            return 0
    }
    while (i <= m && wanted[i] == mask)
        i++
    return i > m
}

# cost[i, j]: the least for the first i lines expected and the first j drawn; way[i, j]: how it comes about.
END {
    m += 0 # may have had no line
    n += 0
    if (matches()) {
        for (i = 1; i <= m; i++)
            print wanted[i]
        exit
    }
    for (i = 0; i <= m; i++) {
        any = i > 0 && wanted[i] == mask
        for (j = 0; j <= n; j++) {
            best = i + j == 0 ? 0 : 1e9
            from = ""
            if (i > 0 && j > 0 && !any) {
                c = cost[i - 1, j - 1] + (holds(wanted[i], drawn[j]) ? 0 : unlike(wanted[i], drawn[j]))
                if (c < best) {
                    best = c
                    from = "line"
                }
            }
            if (any && cost[i - 1, j] < best) {
                best = cost[i - 1, j]
                from = "gone"
            }
            if (any && j > 0 && cost[i, j - 1] < best) {
                best = cost[i, j - 1]
                from = "masked"
            }
            if (i > 0 && !any && cost[i - 1, j] + 2 < best) {
                best = cost[i - 1, j] + 2
                from = "gone"
            }
            if (j > 0 && cost[i, j - 1] + 2 < best) {
                best = cost[i, j - 1] + 2
                from = "new"
            }
            cost[i, j] = best
            way[i, j] = from
        }
    }
    i = m
    j = n
    while (i + j > 0) {
        from = way[i, j]
        if (from == "line") {
            w = wanted[i--]
            d = drawn[j--]
            out[++k] = holds(w, d) ? w : open_ended(w) ? cut(w, d) : d
        } else if (from == "gone") {
            if (wanted[i--] == mask)
                out[++k] = mask
        } else {
            if (from == "new")
                out[++k] = drawn[j]
            j--
        }
    }
    while (k > 0)
        print out[k--]
}
