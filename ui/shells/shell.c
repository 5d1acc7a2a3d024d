/* shell.c - completions for shells: which texts they offer, and how a text is quoted.
 *
 * A script has two parts: functions that are the same in each release, and functions that list
 * texts of the tables. So a shell completes without running the program. */
#include "ui/shells/shell.h"

#include <stdlib.h>
#include <string.h>

#include "src/io/quote.h"
#include "ui/shells/shell_internal.h"

void shell_quote(FILE *out, const char *text) {
    char *word = quote_shell(str_of(text), 0, true);
    fputs(word, out);
    free(word);
}

const struct command *shell_command(size_t n) {
    char buf[COMMAND_COMPLETION];
    return command_candidate("", MODE_ANY, n, buf);
}

const char *shell_argument(const struct command *command, size_t n, char buf[COMMAND_COMPLETION]) {
    char stem[COMMAND_COMPLETION];
    snprintf(stem, sizeof stem, "%s ", command->name);
    return command_candidate(stem, MODE_ANY, n, buf) ? buf + strlen(stem) : NULL;
}

bool shell_is_record(const struct command_line_verb *verb) {
    return strcmp(verb->name, "record") == 0;
}

void shell_completion(FILE *out, enum shell shell, const struct command_line_tables *tables) {
    static void (*const scripts[])(FILE *, const struct command_line_tables *) = {
        [SHELL_BASH] = shell_bash, [SHELL_ZSH] = shell_zsh, [SHELL_FISH] = shell_fish};
    static const char *const names[] = {
        [SHELL_BASH] = "bash", [SHELL_ZSH] = "zsh", [SHELL_FISH] = "fish"};
    fprintf(out, "%s# Completions of fxtop, made by fxtop --completion=%s.\n\n",
            shell == SHELL_ZSH ? "#compdef fxtop\n" : "", names[shell]);
    scripts[shell](out, tables);
}
