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
    "    _alternative 'commands:command:((record\\:\"record a program into a trace\"))' "
    "'files:trace:_files'\n"
    "}\n"
    "\n"
    "_fxtop() {\n"
    "    local -a options\n"
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

static void options_of(FILE *out, const char *command, struct command_line_table table) {
    fprintf(out, "    %s)\n        options=(\n", command);
    for (size_t i = 0; i < table.n; i++) {
        if (table.rows[i].code < 256)
            option(out, &table.rows[i], true);
        option(out, &table.rows[i], false);
    }
    fputs("        )\n        ;;\n", out);
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

void shell_zsh(FILE *out, struct command_line_table options, struct command_line_table record) {
    char term[SHELL_TEXT];
    fputs("_fxtop_options() { # COMMAND\n    case $1 in\n", out);
    options_of(out, "fxtop", options);
    options_of(out, "record", record);
    fputs("    esac\n}\n\n", out);
    commands_of(out);
    fputs("_fxtop_terms() {\n    terms=(", out);
    for (size_t n = 0; filter_beginning(n, term, sizeof term); n++) {
        fputs(n > 0 ? " " : "", out);
        shell_quote(out, term);
    }
    fputs(")\n}\n\n", out);
    fputs(fixed, out);
}
