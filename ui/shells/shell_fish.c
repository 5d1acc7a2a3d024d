/* shell_fish.c - the completion of fish: a line of complete(1) for each option, and functions for
 * values. */
#include <string.h>

#include "model/query/filter.h"
#include "ui/shells/shell_internal.h"

#define LIST 256 /* bytes of the words of an option */

static const char fixed[] =
    "# The value of an option as it is typed, without quotes.\n"
    "function __fxtop_typed\n"
    "    commandline -ct | string replace -r -- '^--[a-z-]+=' '' | string replace -r -- '^[\"\\']' "
    "'' |\n"
    "        string replace -a -- '\\\\' ''\n"
    "end\n"
    "\n"
    "# The text before the last colon, with each command or each word of its argument.\n"
    "function __fxtop_keys\n"
    "    set -l value (__fxtop_typed)\n"
    "    string match -q -- '*:*' $value; or return\n"
    "    set -l begin (string replace -r -- '[^:]*$' '' $value)\n"
    "    set -l stem (string replace -r -- '^.*:' '' $value)\n"
    "    if string match -q -- '* *' $stem\n"
    "        set -l command (string replace -r -- ' .*' '' $stem)\n"
    "        for word in (__fxtop_arguments $command)\n"
    "            printf '%s%s %s\\n' $begin $command $word\n"
    "        end\n"
    "    else\n"
    "        for line in (__fxtop_commands)\n"
    "            printf '%s%s\\n' $begin $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "\n"
    "function __fxtop_filter\n"
    "    set -l value (__fxtop_typed)\n"
    "    set -l begin (string match -r -- '^.* ' $value)\n"
    "    set -l stem (string replace -r -- '^.* ' '' $value)\n"
    "    for term in (__fxtop_terms)\n"
    "        set -l valued (string match -- '*=?*' $term)\n"
    "        if string match -q -- '*=*' $stem\n"
    "            set -q valued[1]; and printf '%s%s\\n' $begin $term\n"
    "        else if not set -q valued[1]\n"
    "            printf '%s%s\\n' $begin $term\n"
    "        end\n"
    "    end\n"
    "end\n"
    "\n"
    "function __fxtop_sql\n"
    "    for file in (__fish_complete_path (__fxtop_typed | string match -r -g -- '^@(.*)'))\n"
    "        printf '@%s\\n' $file\n"
    "    end\n"
    "end\n"
    "\n"
    "function __fxtop_records\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -ge 2; and test $words[2] = record\n"
    "end\n"
    "\n"
    "function __fxtop_recovers\n"
    "    contains -- --recover (commandline -opc)\n"
    "end\n"
    "\n"
    "# The program that is recorded and its arguments, up to the current word; fails before the "
    "program.\n"
    "function __fxtop_program\n"
    "    set -l words (commandline -opc)\n"
    "    set -l expects\n"
    "    set -e words[1..2]\n"
    "    while set -q words[1]\n"
    "        if set -q expects[1]\n"
    "            set -e expects[1]\n"
    "        else if contains -- $words[1] $__fxtop_taking\n"
    "            set expects 1\n"
    "        else if not string match -q -- '-*' $words[1]\n"
    "            string escape -- $words\n"
    "            return 0\n"
    "        end\n"
    "        set -e words[1]\n"
    "    end\n"
    "    return 1\n"
    "end\n"
    "\n"
    "function __fxtop_of_program\n"
    "    set -l words (__fxtop_program) (commandline -ct)\n"
    "    string match -q -- '-*' $words[1]; or complete --do-complete=(string join -- ' ' $words)\n"
    "end\n"
    "\n"
    "# Whether one of these verbs, or none, is the first word.\n"
    "function __fxtop_takes\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -ge 2; and contains -- $words[2] $__fxtop_verbs; or return 0\n"
    "    contains -- $words[2] $argv\n"
    "end\n"
    "\n"
    "function __fxtop_after\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -eq 2; and test $words[2] = $argv[1]\n"
    "end\n"
    "\n"
    "complete -c fxtop -n '__fxtop_records; and not __fxtop_recovers' -f -a "
    "'(__fxtop_of_program)'\n";

static void option(FILE *out, const struct command_line_row *row, const char *condition) {
    static const char *const functions[] = {[VALUE_KEYS] = "(__fxtop_keys)",
                                            [VALUE_FILTER] = "(__fxtop_filter)",
                                            [VALUE_SQL] = "(__fxtop_sql)"};
    char list[LIST] = "";
    size_t at = 0;
    fprintf(out, "complete -c fxtop -n '%s' -l %s", condition, row->name);
    if (row->code < 256)
        fprintf(out, " -s %c", row->code);
    if (row->has_arg == required_argument)
        fputs(row->value == VALUE_FILE ? " -r -F" : " -x", out);
    else if (row->has_arg == optional_argument && row->value != VALUE_FILE)
        fputs(" -f", out);
    for (const char *const *word = row->words; word && *word; word++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", at > 0 ? " " : "", *word);
    const char *answers = row->value >= VALUE_KEYS ? functions[row->value] : NULL;
    if (row->value == VALUE_WORDS)
        answers = list;
    if (answers) {
        fputs(" -a ", out);
        shell_quote(out, answers);
    }
    fputs(" -d ", out);
    shell_quote(out, row->help);
    putc('\n', out);
}

/* A function that prints lines. */
static void begin(FILE *out, const char *name) {
    fprintf(out, "function %s\n", name);
}

static void line(FILE *out, const char *indent, const char *text, const char *help) {
    fprintf(out, "%sprintf '%%s\\t%%s\\n' ", indent);
    shell_quote(out, text);
    putc(' ', out);
    shell_quote(out, help);
    putc('\n', out);
}

static void commands_of(FILE *out) {
    char buf[COMMAND_COMPLETION], term[SHELL_TEXT];
    const struct command *c;
    const char *word;
    begin(out, "__fxtop_commands");
    for (size_t n = 0; (c = shell_command(n)) != NULL; n++)
        line(out, "    ", c->name, c->help);
    fputs("end\n\n", out);
    begin(out, "__fxtop_arguments");
    fputs("    switch $argv[1]\n", out);
    for (size_t n = 0; (c = shell_command(n)) != NULL; n++) {
        if (shell_argument(c, 0, buf) == NULL)
            continue;
        fprintf(out, "        case %s\n            printf '%%s\\n'", c->name);
        for (size_t k = 0; (word = shell_argument(c, k, buf)) != NULL; k++) {
            putc(' ', out);
            shell_quote(out, word);
        }
        putc('\n', out);
    }
    fputs("    end\nend\n\n", out);
    begin(out, "__fxtop_terms");
    fputs("    printf '%s\\n'", out);
    for (size_t n = 0; filter_beginning(n, term, sizeof term); n++) {
        putc(' ', out);
        shell_quote(out, term);
    }
    fputs("\nend\n\n", out);
}

/* The verbs, and the words that their first argument may be. */
static void verbs_of(FILE *out, struct command_line_verbs verbs) {
    for (size_t i = 0; i < verbs.n; i++) {
        const struct command_line_verb *verb = &verbs.rows[i];
        fprintf(out, "complete -c fxtop -n 'test (count (commandline -opc)) -eq 1' -a %s -d ",
                verb->name);
        shell_quote(out, verb->help);
        putc('\n', out);
        if (verb->first == NULL)
            continue;
        fprintf(out, "complete -c fxtop -n '__fxtop_after %s' -f -a '", verb->name);
        for (const char *const *word = verb->first; *word; word++)
            fprintf(out, "%s%s", word > verb->first ? " " : "", *word);
        fputs("'\n", out);
    }
}

/* "__fxtop_takes" and the verbs that show an option in their help. */
static void takes(const struct command_line_verbs *verbs, const char *name, char *buf,
                  size_t size) {
    size_t at = (size_t)snprintf(buf, size, "__fxtop_takes");
    for (size_t i = 0; i < verbs->n; i++)
        for (const char *const *option = verbs->rows[i].options;
             *option && !shell_is_record(&verbs->rows[i]) && at < size; option++)
            if (strcmp(*option, name) == 0)
                at += (size_t)snprintf(buf + at, size - at, " %s", verbs->rows[i].name);
}

void shell_fish(FILE *out, const struct command_line_tables *t) {
    struct command_line_table options = t->options, record = t->record;
    fputs("# Options of fxtop record whose value may be the next word.\nset -g __fxtop_taking",
          out);
    for (size_t i = 0; i < record.n; i++) {
        if (record.rows[i].has_arg != required_argument)
            continue;
        fprintf(out, " --%s", record.rows[i].name);
        if (record.rows[i].code < 256)
            fprintf(out, " -%c", record.rows[i].code);
    }
    fputs("\nset -g __fxtop_verbs", out);
    for (size_t i = 0; i < t->verbs.n; i++)
        fprintf(out, " %s", t->verbs.rows[i].name);
    fputs("\n\n", out);
    commands_of(out);
    fputs(fixed, out);
    verbs_of(out, t->verbs);
    for (size_t i = 0; i < options.n; i++) {
        char condition[LIST];
        takes(&t->verbs, options.rows[i].name, condition, sizeof condition);
        option(out, &options.rows[i], condition);
    }
    for (size_t i = 0; i < record.n; i++)
        option(out, &record.rows[i], "__fxtop_records; and not __fxtop_program >/dev/null");
}
