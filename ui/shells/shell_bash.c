/* shell_bash.c - the completion of bash.
 *
 * Functions fill `list` from the tables; _fxtop reads the command line and fills COMPREPLY from it.
 * It needs nothing of the package bash-completion, and works in bash 3.2. */
#include "model/query/filter.h"
#include "ui/shells/shell_internal.h"

static const char fixed[] =
    "# The texts in `list` that continue RAW, the value of OPTION as typed. A text with a blank "
    "continues the one before it.\n"
    "_fxtop_offer() { # RAW OPTION: an option that ends in = stands before the value in the same "
    "word\n"
    "    local raw=$1 value=$1 quote='' begin='' begun='' text reply "
    "breaks=${COMP_WORDBREAKS//[^=:@]/}\n"
    "    case $raw in\n"
    "    [\\'\\\"]*) quote=${raw:0:1} value=${raw:1} ;;\n"
    "    *) value=${raw//\\\\/} ;;\n"
    "    esac\n"
    "    case $kind in\n"
    "    keys)\n"
    "        [[ $value == *:* ]] || return 0\n"
    "        begin=${value%:*}: value=${value##*:}\n"
    "        _fxtop_commands\n"
    "        ;;\n"
    "    filter)\n"
    "        [[ $value != *' '* ]] || begin=${value% *}' ' value=${value##* }\n"
    "        _fxtop_terms\n"
    "        ;;\n"
    "    esac\n"
    "    for text in \"${list[@]}\"; do\n"
    "        [[ $text == \"$value\"* && ($text != \"$value\" || $kind == words) ]] || continue\n"
    "        [[ $text != *' '* || $value == *' '* ]] || continue\n"
    "        [[ $text != *=?* || $value == *=* ]] || continue\n"
    "        reply=$begin$text\n"
    "        if [[ -z $quote ]]; then\n"
    "            printf -v reply %q \"$reply\"\n"
    "            [[ -z $breaks || $raw != *[$breaks]* ]] || begun=${raw%\"${raw##*[$breaks]}\"}\n"
    "            reply=${reply#\"${begun%@}\"} # a word of readline begins after = or :, or with "
    "@\n"
    "            [[ $2 != *= || $breaks == *=* ]] || reply=$2$reply\n"
    "        fi\n"
    "        COMPREPLY+=(\"$reply\")\n"
    "    done\n"
    "    [[ $kind == words ]] || compopt -o nospace 2>/dev/null\n"
    "    return 0\n"
    "}\n"
    "\n"
    "_fxtop_files() { # RAW: readline completes them, if there are no other answers\n"
    "    compopt -o default -o bashdefault 2>/dev/null\n"
    "    local file\n"
    "    list=()\n"
    "    [[ -z $1 || ${#words[@]} -ne 2 ]] || _fxtop_verbs\n"
    "    for file in \"${list[@]}\"; do\n"
    "        [[ $file != \"$1\"* ]] || COMPREPLY+=(\"$file\")\n"
    "    done\n"
    "    [[ ${#COMPREPLY[@]} -gt 0 ]] || return 0\n"
    "    while IFS= read -r file; do COMPREPLY+=(\"$file\"); done < <(compgen -f -- \"$1\")\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "\n"
    "_fxtop_option_value() { # COMMAND OPTION RAW [=]\n"
    "    _fxtop_value \"$1\" \"$2\"\n"
    "    case $kind in\n"
    "    file) _fxtop_files \"\" ;;\n"
    "    sql)\n"
    "        [[ $3 == @* ]] || return 0\n"
    "        local file\n"
    "        while IFS= read -r file; do\n"
    "            printf -v file %q \"@$file\"\n"
    "            COMPREPLY+=(\"$file\")\n"
    "        done < <(file=${3#@} && compgen -f -- \"${file//\\\\/}\")\n"
    "        ;;\n"
    "    words | keys | filter) _fxtop_offer \"$3\" \"$2${4-}\" ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_fxtop_program() { # FIRST: its place in COMP_WORDS\n"
    "    if declare -F _command_offset >/dev/null; then\n"
    "        _command_offset \"$1\"\n"
    "    elif (($1 == COMP_CWORD)); then\n"
    "        local name\n"
    "        while IFS= read -r name; do COMPREPLY+=(\"$name\"); done < <(compgen -c -- "
    "\"${words[${#words[@]} - 1]}\")\n"
    "        compopt -o default 2>/dev/null\n"
    "    else\n"
    "        compopt -o default -o bashdefault 2>/dev/null\n"
    "    fi\n"
    "}\n"
    "\n"
    "_fxtop() {\n"
    "    local line=${COMP_LINE:0:COMP_POINT} blanks word i command=fxtop expects='' ended='' "
    "program='' buffers=''\n"
    "    local takes kind verb='' given=''\n"
    "    local -a words=() places=() list=()\n"
    "    COMPREPLY=()\n"
    "    # Words as the shell has them: readline splits them at = and :, too.\n"
    "    for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "        blanks=${line%%[![:blank:]]*}\n"
    "        line=${line#\"$blanks\"}\n"
    "        word=${COMP_WORDS[i]}\n"
    "        ((i < COMP_CWORD)) || word=$line\n"
    "        if ((i > 0)) && [[ -z $blanks ]]; then\n"
    "            words[${#words[@]} - 1]+=$word\n"
    "        else\n"
    "            words+=(\"$word\")\n"
    "            places+=(\"$i\")\n"
    "        fi\n"
    "        line=${line#\"$word\"}\n"
    "    done\n"
    "    for ((i = 1; i < ${#words[@]} - 1; i++)); do\n"
    "        word=${words[i]}\n"
    "        if [[ -n $expects ]]; then\n"
    "            expects=''\n"
    "        elif [[ -z $ended && $word == -- ]]; then\n"
    "            ended=1\n"
    "        elif [[ -z $ended && $word == -?* ]]; then\n"
    "            [[ $command != record || $word != --recover ]] || buffers=1\n"
    "            _fxtop_value \"$command\" \"$word\"\n"
    "            expects=${takes:+$word}\n"
    "        elif ((i == 1)) && [[ $word == record ]]; then\n"
    "            command=record\n"
    "        elif ((i == 1)) && _fxtop_first \"$word\"; then\n"
    "            verb=$word\n"
    "        elif [[ $command == record && -z $buffers ]]; then\n"
    "            program=${places[i]}\n"
    "            break\n"
    "        else\n"
    "            given=1\n"
    "        fi\n"
    "    done\n"
    "    word=${words[${#words[@]} - 1]}\n"
    "    if [[ -n $program ]]; then\n"
    "        _fxtop_program \"$program\"\n"
    "    elif [[ -n $expects ]]; then\n"
    "        _fxtop_option_value \"$command\" \"$expects\" \"$word\"\n"
    "    elif [[ -z $ended && $word == --*=* ]]; then\n"
    "        _fxtop_option_value \"$command\" \"${word%%=*}\" \"${word#*=}\" =\n"
    "    elif [[ -z $ended && $word == -* ]]; then\n"
    "        _fxtop_options \"${verb:-$command}\"\n"
    "        for i in \"${list[@]}\"; do\n"
    "            [[ $i != \"$word\"* ]] || COMPREPLY+=(\"$i\")\n"
    "        done\n"
    "        [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace "
    "2>/dev/null\n"
    "    elif [[ $command == record && -z $buffers ]]; then\n"
    "        _fxtop_program \"${places[${#places[@]} - 1]}\"\n"
    "    else\n"
    "        list=()\n"
    "        [[ -z $verb || -n $given ]] || _fxtop_first \"$verb\"\n"
    "        for i in \"${list[@]}\"; do\n"
    "            [[ $i != \"$word\"* ]] || COMPREPLY+=(\"$i\")\n"
    "        done\n"
    "        [[ ${#list[@]} -gt 0 ]] || _fxtop_files \"$word\"\n"
    "    fi\n"
    "}\n"
    "\n"
    "complete -F _fxtop fxtop\n";

static void item(FILE *out, const char *text) {
    putc(' ', out);
    shell_quote(out, text);
}

static void option_of(FILE *out, const struct command_line_row *row) {
    fprintf(out, "\n           ");
    if (row->code < 256)
        fprintf(out, " -%c", row->code);
    if (row->has_arg != required_argument)
        fprintf(out, " --%s", row->name);
    if (row->has_arg != no_argument)
        fprintf(out, " --%s=", row->name);
}

static void options_of(FILE *out, const char *command, struct command_line_table table) {
    fprintf(out, "    %s)\n        list=(", command);
    for (size_t i = 0; i < table.n; i++)
        option_of(out, &table.rows[i]);
    fputs("\n        )\n        ;;\n", out);
}

static void values_of(FILE *out, const char *command, struct command_line_table table) {
    static const char *const kinds[] = {
        [VALUE_TEXT] = "text", [VALUE_WORDS] = "words",   [VALUE_FILE] = "file",
        [VALUE_KEYS] = "keys", [VALUE_FILTER] = "filter", [VALUE_SQL] = "sql"};
    for (size_t i = 0; i < table.n; i++) {
        const struct command_line_row *row = &table.rows[i];
        if (row->has_arg == no_argument)
            continue;
        fprintf(out, "    '%s --%s'", command, row->name);
        if (row->code < 256)
            fprintf(out, " | '%s -%c'", command, row->code);
        fprintf(out, ") takes=%s kind=%s list=(", row->has_arg == required_argument ? "1" : "''",
                kinds[row->value]);
        for (const char *const *word = row->words; word && *word; word++)
            item(out, *word);
        fputs(") ;;\n", out);
    }
}

static void commands_of(FILE *out) {
    char buf[COMMAND_COMPLETION];
    const struct command *c;
    const char *word;
    fputs("_fxtop_commands() {\n    list=(", out);
    for (size_t n = 0; (c = shell_command(n)) != NULL; n++) {
        fputs("\n       ", out);
        item(out, c->name);
        for (size_t k = 0; (word = shell_argument(c, k, buf)) != NULL; k++)
            item(out, buf);
    }
    fputs("\n    )\n}\n\n", out);
}

/* The verbs: their names, their options, and the words that their first argument may be. */
static void verb_options(FILE *out, const struct command_line_tables *t) {
    const struct command_line_row *row;
    for (size_t i = 0; i < t->verbs.n; i++) {
        const struct command_line_verb *verb = &t->verbs.rows[i];
        if (shell_is_record(verb))
            continue;
        fprintf(out, "    %s)\n        list=(", verb->name);
        for (size_t n = 0; (row = command_line_verb_row(t->options, verb, n)) != NULL; n++)
            option_of(out, row);
        fputs("\n        )\n        ;;\n", out);
    }
}

static void verbs_of(FILE *out, struct command_line_verbs verbs) {
    fputs("_fxtop_verbs() {\n    list=(", out);
    for (size_t i = 0; i < verbs.n; i++)
        item(out, verbs.rows[i].name);
    fputs(")\n}\n\n_fxtop_first() { # VERB: the words that may follow it\n    list=()\n    case $1 "
          "in\n",
          out);
    for (size_t i = 0; i < verbs.n; i++) {
        fprintf(out, "    %s) list=(", verbs.rows[i].name);
        for (const char *const *word = verbs.rows[i].first; word && *word; word++)
            item(out, *word);
        fputs(") ;;\n", out);
    }
    fputs("    *) return 1 ;;\n    esac\n}\n\n", out);
}

void shell_bash(FILE *out, const struct command_line_tables *t) {
    char term[SHELL_TEXT];
    fputs("_fxtop_options() { # COMMAND: its options, in `list`\n    case $1 in\n", out);
    options_of(out, "fxtop", t->options);
    options_of(out, "record", t->record);
    verb_options(out, t);
    fputs("    esac\n}\n\n"
          "_fxtop_value() { # COMMAND OPTION: `takes` is 1 if a value must follow\n"
          "    takes='' kind='' list=()\n    case $1' '$2 in\n",
          out);
    values_of(out, "fxtop", t->options);
    values_of(out, "record", t->record);
    fputs("    esac\n}\n\n", out);
    verbs_of(out, t->verbs);
    commands_of(out);
    fputs("_fxtop_terms() {\n    list=(", out);
    for (size_t n = 0; filter_beginning(n, term, sizeof term); n++)
        item(out, term);
    fputs(")\n}\n\n", out);
    fputs(fixed, out);
}
