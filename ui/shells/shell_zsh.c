/* shell_zsh.c - the completion of zsh: a function of its completion system, over _arguments. */
#include <string.h>

#include "model/query/filter.h"
#include "ui/shells/shell_internal.h"

#define SPEC 512 /* bytes of the longest specification of an option */

static const char fixed[] =
    "# Candidates NAME:HELP after the text before the last colon, and words of arguments after a "
    "command.\n"
    "_fxtop_keys() {\n"
    "    local -a lines\n"
    "    local command\n"
    "    compset -P '*:' || return 1\n"
    "    if compset -P '*(\\\\|) '; then\n"
    "        command=${${IPREPLY:-$IPREFIX}##*:}\n"
    "        _fxtop_arguments ${${command%% }%\\\\}\n"
    "        _describe -t arguments argument lines -S ''\n"
    "    else\n"
    "        _fxtop_commands\n"
    "        _describe -t commands command lines -S ''\n"
    "    fi\n"
    "}\n"
    "\n"
    "_fxtop_filter() {\n"
    "    local -a terms\n"
    "    compset -P '*(\\\\|) '\n"
    "    _fxtop_terms\n"
    "    if [[ $PREFIX == *=* ]]; then\n"
    "        terms=(${(M)terms:#*=?*})\n"
    "    else\n"
    "        terms=(${terms:#*=?*})\n"
    "    fi\n"
    "    compadd -S '' -- $terms\n"
    "}\n"
    "\n"
    "_fxtop_sql() {\n"
    "    compset -P @ && _files\n"
    "}\n"
    "\n"
    "_fxtop_first() {\n"
    "    local -a lines\n"
    "    _fxtop_verbs\n"
    "    _describe -t commands command lines\n"
    "    _files\n"
    "}\n"
    "\n"
    "_fxtop_argument() {\n"
    "    (( $#first )) && compadd -- $first || _files\n"
    "}\n"
    "\n"
    "_fxtop() {\n"
    "    local -a options first\n"
    "    if (( CURRENT > 2 )) && [[ $words[2] == record ]]; then\n"
    "        shift words\n"
    "        (( CURRENT-- ))\n"
    "        _fxtop_options record\n"
    "        if (( $words[(I)--recover] )); then\n"
    "            _arguments -s -S : $options '*:buffer:_files'\n"
    "        else\n"
    "            _arguments -s -S : $options '(-)1:program:_command_names -e' "
    "'*::argument:_normal'\n"
    "        fi\n"
    "    elif (( CURRENT > 2 )) && _fxtop_words $words[2]; then\n"
    "        shift words\n"
    "        (( CURRENT-- ))\n"
    "        _fxtop_options $words[1]\n"
    "        _arguments -s -S : $options '1: :_fxtop_argument' '*:trace:_files'\n"
    "    else\n"
    "        _fxtop_options fxtop\n"
    "        _arguments -s -S : $options '1: :_fxtop_first' '*:trace:_files'\n"
    "    fi\n"
    "}\n"
    "\n"
    "_fxtop \"$@\"\n";

/* An option in the words of _arguments: "*--NAME=[HELP]:MESSAGE:ACTION", and the same for its
 * letter. */
static void option(FILE *out, const struct command_line_row *row, bool letter) {
    static const char *const actions[] = {[VALUE_NONE] = "",
                                          [VALUE_TEXT] = " ",
                                          [VALUE_FILE] = "_files",
                                          [VALUE_KEYS] = "_fxtop_keys",
                                          [VALUE_FILTER] = "_fxtop_filter",
                                          [VALUE_SQL] = "_fxtop_sql"};
    char spec[SPEC], help[SPEC / 2], message[32] = "";
    const char *from = row->arg + strspn(row->arg, "[="), *word;
    size_t n = 0, at = 0;
    for (word = row->help; *word && n + 3 < sizeof help; word++) {
        if (strchr("[]\\", *word))
            help[n++] = '\\';
        help[n++] = *word;
    }
    help[n] = 0;
    snprintf(message, sizeof message, "%.*s", (int)strcspn(from, "]"), from);
    static const char *const joint[] = {
        [no_argument] = "", [required_argument] = "=", [optional_argument] = "=-"};
    if (letter)
        at = (size_t)snprintf(spec, sizeof spec, "*-%c%s[%s]", row->code,
                              row->has_arg == required_argument ? "+" : "", help);
    else
        at = (size_t)snprintf(spec, sizeof spec, "*--%s%s[%s]", row->name, joint[row->has_arg],
                              help);
    if (row->has_arg != no_argument)
        at += (size_t)snprintf(spec + at, sizeof spec - at, "%s%s:%s",
                               row->has_arg == optional_argument ? "::" : ":", message,
                               row->value == VALUE_WORDS ? "(" : actions[row->value]);
    for (const char *const *list = row->words; list && *list; list++)
        at += (size_t)snprintf(spec + at, sizeof spec - at, "%s%s", *list, list[1] ? " " : ")");
    fputs("            ", out);
    shell_quote(out, spec);
    putc('\n', out);
}

static void both(FILE *out, const struct command_line_row *row) {
    if (row->code < 256)
        option(out, row, true);
    option(out, row, false);
}

static void options_of(FILE *out, const char *command, struct command_line_table table) {
    fprintf(out, "    %s)\n        options=(\n", command);
    for (size_t i = 0; i < table.n; i++)
        both(out, &table.rows[i]);
    fputs("        )\n        ;;\n", out);
}

static void verb_options(FILE *out, const struct command_line_tables *t) {
    const struct command_line_row *row;
    for (size_t i = 0; i < t->verbs.n; i++) {
        const struct command_line_verb *verb = &t->verbs.rows[i];
        if (shell_is_record(verb))
            continue;
        fprintf(out, "    %s)\n        options=(\n", verb->name);
        for (size_t n = 0; (row = command_line_verb_row(t->options, verb, n)) != NULL; n++)
            both(out, row);
        fputs("        )\n        ;;\n", out);
    }
}

/* The verbs as NAME:HELP, and the words that their first argument may be. */
static void verbs_of(FILE *out, struct command_line_verbs verbs) {
    char line[SPEC];
    fputs("_fxtop_verbs() {\n    lines=(\n", out);
    for (size_t i = 0; i < verbs.n; i++) {
        snprintf(line, sizeof line, "%s:%s", verbs.rows[i].name, verbs.rows[i].help);
        fputs("        ", out);
        shell_quote(out, line);
        putc('\n', out);
    }
    fputs("    )\n}\n\n_fxtop_words() { # VERB\n    case $1 in\n", out);
    for (size_t i = 0; i < verbs.n; i++) {
        fprintf(out, "    %s) first=(", verbs.rows[i].name);
        for (const char *const *word = verbs.rows[i].first; word && *word; word++)
            fprintf(out, "%s%s", word > verbs.rows[i].first ? " " : "", *word);
        fputs(") ;;\n", out);
    }
    fputs("    *) return 1 ;;\n    esac\n}\n\n", out);
}

static void commands_of(FILE *out) {
    char buf[COMMAND_COMPLETION], line[SPEC];
    const struct command *c;
    const char *word;
    fputs("_fxtop_commands() {\n    lines=(\n", out);
    for (size_t n = 0; (c = shell_command(n)) != NULL; n++) {
        snprintf(line, sizeof line, "%s:%s", c->name, c->help);
        fputs("        ", out);
        shell_quote(out, line);
        putc('\n', out);
    }
    fputs("    )\n}\n\n_fxtop_arguments() { # COMMAND\n    case $1 in\n", out);
    for (size_t n = 0; (c = shell_command(n)) != NULL; n++) {
        if (shell_argument(c, 0, buf) == NULL)
            continue;
        fprintf(out, "    %s) lines=(", c->name);
        for (size_t k = 0; (word = shell_argument(c, k, buf)) != NULL; k++) {
            fputs(k > 0 ? " " : "", out);
            shell_quote(out, word);
        }
        fputs(") ;;\n", out);
    }
    fputs("    esac\n}\n\n", out);
}

void shell_zsh(FILE *out, const struct command_line_tables *t) {
    char term[SHELL_TEXT];
    fputs("_fxtop_options() { # COMMAND\n    case $1 in\n", out);
    options_of(out, "fxtop", t->options);
    options_of(out, "record", t->record);
    verb_options(out, t);
    fputs("    esac\n}\n\n", out);
    verbs_of(out, t->verbs);
    commands_of(out);
    fputs("_fxtop_terms() {\n    terms=(", out);
    for (size_t n = 0; filter_beginning(n, term, sizeof term); n++) {
        fputs(n > 0 ? " " : "", out);
        shell_quote(out, term);
    }
    fputs(")\n}\n\n", out);
    fputs(fixed, out);
}
