/* command_line.c - a table of options makes a parser and its help.
 *
 * getopt_long() gives no reason when it refuses an option, so refuse_option() finds it: it is
 * unknown, ambiguous, or has a value that it does not take. */
#include "src/command_line.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

#define SHORTS 64 /* bytes of the list of short options */

static void put_row(const struct command_line_row *row, const char *help, FILE *out) {
    char left[48], letter[] = "    ";
    if (row->code < 256)
        memcpy(letter, (char[]){'-', (char)row->code, ','}, 3);
    snprintf(left, sizeof left, "%s--%s%s", letter, row->name, row->arg);
    fprintf(out, "  %-26s %s\n", left, help);
}

void command_line_help(const struct command_line *line, FILE *out) {
    for (size_t i = 0; i < line->n; i++)
        put_row(&line->rows[i], line->rows[i].help, out);
}

const struct command_line_row *command_line_verb_row(struct command_line_table table,
                                                     const struct command_line_verb *verb,
                                                     size_t n) {
    for (size_t i = 0; verb->options[n] && i < table.n; i++)
        if (strcmp(table.rows[i].name, verb->options[n]) == 0)
            return table.rows + i;
    return NULL;
}

/* The help of an option without the modes that it is for. */
static const char *without_modes(const char *help) {
    const char *end = strncmp(help, "of ", 3) == 0 ? strstr(help, ": ") : NULL;
    return end ? end + 2 : help;
}

void command_line_verb_help(struct command_line_table table, const struct command_line_verb *verb,
                            FILE *out) {
    const struct command_line_row *row;
    fprintf(out, "Usage: fxtop %s [OPTION]... %s\n%c%s.\n\n", verb->name, verb->arguments,
            verb->help[0] - 'a' + 'A', verb->help + 1);
    for (size_t n = 0; (row = command_line_verb_row(table, verb, n)) != NULL; n++)
        put_row(row, without_modes(row->help), out);
    fprintf(out,
            "\nExample: %s\nOther options: fxtop --help. Reference: man fxtop-%s. "
            "./%s opens a file of that name.\n",
            verb->example, verb->name, verb->name);
}

bool command_line_refuse(bool ascii, struct err *err, const char *what, const char *typed) {
    char safe[120];
    text_plain(safe, sizeof safe, str_of(typed), ascii ? TEXT_ASCII : 0);
    return err_set(err, ERR_NO_OFFSET, what, safe);
}

static void refuse_option(const struct command_line *line, struct err *err, const char *arg) {
    size_t n = strcspn(arg, "=");
    int begin = 0;
    bool exact = false;
    for (size_t i = 0; i < line->n && n > 2 && strncmp(arg, "--", 2) == 0; i++)
        if (strncmp(line->rows[i].name, arg + 2, n - 2) == 0) {
            begin++;
            exact = exact || line->rows[i].name[n - 2] == 0;
        }
    const char *wrong = "ambiguous option: %s (try --help)";
    if (begin == 0)
        wrong = "unknown option: %s (try --help)";
    else if (begin == 1 || exact)
        wrong = "%s: this option takes no value (try --help)";
    command_line_refuse(line->ascii, err, wrong, arg);
}

void command_line_begin(struct command_line *line) {
    assert(line->n <= COMMAND_LINE_MOST);
    memset(line->longs, 0, sizeof line->longs);
    for (size_t i = 0; i < line->n; i++)
        line->longs[i] =
            (struct option){line->rows[i].name, line->rows[i].has_arg, NULL, line->rows[i].code};
    opterr = 0;
    optind = 0; /* restart, even if the last call ended inside of -hV */
}

int command_line_next(struct command_line *line, int argc, char **argv, struct err *err) {
    char shorts[SHORTS] = "+:";
    size_t n = 2, from = line->stops ? 0 : 1;
    for (size_t i = 0; i < line->n && n + 3 < sizeof shorts; i++) {
        if (line->rows[i].code < 256)
            shorts[n++] = (char)line->rows[i].code;
        if (line->rows[i].code < 256 && line->rows[i].has_arg == required_argument)
            shorts[n++] = ':';
    }
    int before = optind > 0 ? optind : 1,
        code = getopt_long(argc, argv, shorts + from, line->longs, NULL);
    int last = before < argc ? before : argc - 1;
    if (code == -1)
        return COMMAND_LINE_END;
    if (code == ':')
        command_line_refuse(line->ascii, err, "%s needs a value (try --help)", argv[optind - 1]);
    else if (code == '?')
        refuse_option(line, err, argv[optind > before ? optind - 1 : last]);
    return code == ':' || code == '?' ? COMMAND_LINE_FAULT : code;
}

int command_line_word(struct command_line_table table, int code, const char *typed) {
    for (size_t i = 0; i < table.n; i++)
        for (int k = 0; table.rows[i].code == code && table.rows[i].words[k]; k++)
            if (strcmp(typed, table.rows[i].words[k]) == 0)
                return k;
    return -1;
}

bool command_line_number(const char **s, uint64_t max, uint64_t *v) {
    char *end;
    if (**s < '0' || **s > '9')
        return false;
    errno = 0;
    unsigned long long n = strtoull(*s, &end, 10);
    if (errno != 0 || n > max)
        return false;
    *v = n;
    *s = end;
    return true;
}

bool command_line_bytes(const char *s, uint64_t *v) {
    static const char units[] = "kmgt";
    uint64_t n;
    if (!command_line_number(&s, UINT64_MAX, &n) || n == 0)
        return false;
    if (*s != 0) {
        const char *u = strchr(units, *s | 0x20);
        if (u == NULL || s[1] != 0 || n > UINT64_MAX >> 10 * (u - units + 1))
            return false;
        n <<= 10 * (u - units + 1);
    }
    *v = n;
    return true;
}
