# Prints the code of Swift files as path:line:code, with comments removed and string literals emptied.
# Good enough for searching, not a parser: a state that went wrong on one line is right again on the next,
# except inside block comments and multi-line strings, which are followed.

FNR == 1 { comment_depth = 0; closing = "" }

{
    rest = $0
    out = ""
    while (rest != "") {
        if (comment_depth > 0) {
            if (match(rest, /\/\*|\*\//)) {
                comment_depth += substr(rest, RSTART, 2) == "/*" ? 1 : -1
                rest = substr(rest, RSTART + 2)
            } else {
                rest = ""
            }
        } else if (closing != "") {
            at = index(rest, closing)
            if (at == 0) {
                rest = ""
            } else {
                rest = substr(rest, at + length(closing))
                closing = ""
            }
        } else if (match(rest, /\/\/|\/\*|#*"/)) {
            out = out substr(rest, 1, RSTART - 1)
            token = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            if (token == "//") {
                rest = ""
            } else if (token == "/*") {
                comment_depth = 1
            } else {
                out = out "\"\""
                hashes = substr(token, 1, length(token) - 1)
                if (substr(rest, 1, 2) == "\"\"") {
                    closing = "\"\"\"" hashes
                    rest = substr(rest, 3)
                } else if (hashes != "") {
                    at = index(rest, "\"" hashes)
                    rest = at == 0 ? "" : substr(rest, at + 1 + length(hashes))
                } else {
                    rest = after_string(rest)
                }
            }
        } else {
            out = out rest
            rest = ""
        }
    }
    if (out ~ /[^ \t]/) print FILENAME ":" FNR ":" out
}

# What follows a one-line string literal whose opening quote was read; interpolations may hold strings themselves.
function after_string(s,    character, parentheses) {
    while (match(s, /["\\]/)) {
        character = substr(s, RSTART, 1)
        s = substr(s, RSTART + 1)
        if (character == "\"") return s
        if (substr(s, 1, 1) != "(") {
            s = substr(s, 2)
            continue
        }
        s = substr(s, 2)
        parentheses = 1
        while (parentheses > 0 && match(s, /[()"]/)) {
            character = substr(s, RSTART, 1)
            s = substr(s, RSTART + 1)
            if (character == "(") parentheses++
            else if (character == ")") parentheses--
            else s = after_string(s)
        }
        if (parentheses > 0) return ""
    }
    return ""
}
