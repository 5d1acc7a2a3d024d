# unite.awk - makes one source of several, so that the headers of all are read once.
#
# unite.awk -v top=FOLDER/ FILE... prints the source: FOLDER/FILE one after the other. A name that a file gives to something
# of its own, and that another one has, too, gets the name of the file appended; macros end with their file,
# but for those that a header of the system may have (#ifndef). Faults are reported at the lines of the files.
#
# It knows C as .clang-format lays it out: what begins in the first column is of the file, and a member follows a dot or
# an arrow. The compiler refuses what is overlooked here: a tag or a function that is also in a header.

# The rest of the line, from a token on: its text, and in kind "name", "space", "mark" or "literal".
function next_token() {
    if (comment) {
        kind = "space"
        stop = index(rest, "*/")
        comment = stop == 0
        return cut(comment ? length(rest) : stop + 1)
    }
    if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
        kind = "name"
        return cut(RLENGTH)
    }
    if (match(rest, /^[ \t]+/)) {
        kind = "space"
        return cut(RLENGTH)
    }
    if (match(rest, /^[0-9][A-Za-z_0-9.]*/) || match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)*'/)) {
        kind = "literal"
        return cut(RLENGTH)
    }
    if (substr(rest, 1, 2) == "/*") {
        comment = 1
        rest = substr(rest, 3)
        return "/*" next_token()
    }
    kind = "mark"
    return cut(substr(rest, 1, 2) == "->" ? 2 : 1)
}
# Takes n characters off the rest.
function cut(n, token) {
    token = substr(rest, 1, n)
    rest = substr(rest, n + 1)
    return token
}
function own(name) {
    if (!((file, name) in owned))
        owners[name]++
    owned[file, name] = 1
}
# Takes down what a line of file scope declares: a function, variables, or the tag of a type.
function declared(line, token, last, depth, before) {
    rest = line
    last = before = ""
    depth = 0
    while (rest != "") {
        token = next_token()
        if (kind == "space")
            continue
        if (depth == 0 && last != "" && token ~ /^[(=;,[{]$/ && !(token == "(" && before ~ /^(static|const|typedef)$/) &&
            last !~ /^(__attribute__|_Alignas|struct|enum|union|const)$/) {
            if (token != "{" && line !~ /^(struct|enum|union)/)
                own(last)
            else if (before ~ TAGGED)
                own("struct " last)
            if (token == "(" || token == "{" || token == "=")
                return
        }
        if (token ~ /^[([{]$/)
            depth++
        else if (token ~ /^[])}]$/)
            depth--
        before = last
        last = kind == "name" ? token : ""
    }
}
# The constants of an enum in a line of it.
function constants(line, token, last) {
    rest = line
    while (rest != "") {
        token = next_token()
        if (kind == "name" && (last == "" || last == "{" || last == ","))
            own(token)
        if (kind != "space")
            last = token
        if (token == "}")
            return
    }
}
# Takes down what a line has of its own for the file.
function scan(line) {
    comment = was
    if (line ~ /^#ifndef /)
        lacking = substr(line, 9)
    else if (line ~ /^#[ \t]*define[ \t]/) {
        match(line, /^#[ \t]*define[ \t]+[A-Za-z_0-9]+/)
        name = substr(line, 1, RLENGTH)
        sub(/.*[ \t]/, "", name)
        if (lacking != name)
            macros[file] = macros[file] "#undef " name "\n"
    } else if (!comment && line ~ /^START_TEST\(/) {
        sub(/^START_TEST\(/, "", line)
        sub(/\).*/, "", line)
        own(line)
        return
    } else if (!comment && line ~ /^(static |struct |enum |union |__attribute__|typedef |}\)? )/) {
        if (line ~ /^(static )?(const )?enum ([A-Za-z_0-9]+ )?{/) {
            enumerated = line !~ /}/
            constants(substr(line, index(line, "{")))
        }
        attribute = sub(/^__attribute__\(\(.*\)\) /, "", line)
        sub(/^}\)? /, "", line)
        if (!attribute || line ~ /^(static|struct|enum|union|typedef) /)
            declared(line)
        return
    } else if (enumerated) {
        if (line ~ /^}/)
            enumerated = 0
        else
            constants(line)
        return
    }
}
# Counts the files that have each name.
function seen(line, token) {
    if (line ~ /^#[ \t]*include/ && !comment)
        return
    rest = line
    while (rest != "") {
        token = next_token()
        if (kind == "name" && in_file[token] != file) {
            in_file[token] = file
            files[token]++
        }
    }
}
function suffix(path) {
    sub(/.*\//, "", path)
    sub(/\.c$/, "", path)
    gsub(/[^A-Za-z0-9]/, "_", path)
    return "_in_" path
}
# The line with its own names changed where that is needed. Members of a type keep theirs.
function renamed(line, token, result) {
    if (line ~ /^#[ \t]*include/ && !comment)
        return line
    rest = line
    while (rest != "") {
        token = next_token()
        name = last ~ TAGGED ? "struct " token : token
        if (token == "{" && (members || last ~ /^(struct|union)$/ || before ~ /^(struct|union)$/))
            members++
        else if (token == "}" && members)
            members--
        if (kind == "name" && last != "#" && last != "." && last != "->" && !(members && rest ~ /^( *[;,:[]|\)\()/) &&
            ((file, name) in owned) && (name == token ? files[token] : owners[name]) > 1)
            token = token suffix(path)
        if (kind != "space") {
            before = last
            last = token
        }
        result = result token
    }
    return result
}
BEGIN {
    TAGGED = "^(struct|enum|union)$"
    for (file = 1; file < ARGC; file++) {
        path = ARGV[file]
        was = 0
        while ((getline line <(top path)) > 0) {
            scan(line)
            comment = was
            seen(line)
            was = comment
        }
        close(top path)
    }
    for (file = 1; file < ARGC; file++) {
        path = ARGV[file]
        comment = members = 0
        printf "#line 1 \"%s\"\n", top path
        while ((getline line <(top path)) > 0)
            print renamed(line)
        close(top path)
        printf "%s", macros[file]
    }
}
