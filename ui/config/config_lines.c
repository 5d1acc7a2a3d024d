/* config_lines.c - finds the files of the configuration, and runs them line by line. Messages of
 * lines that are right are not shown. */
#include "ui/config/config_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/io/files_read.h"
#include "src/io/state_file.h"
#include "ui/command.h"

bool config_lines_path(const char *name, char path[PATH_MAX]) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    bool own = config && config[0] == '/';
    if (!own && !(home && home[0] == '/'))
        return false;
    int n =
        snprintf(path, PATH_MAX, "%s%s/fxtop/%s", own ? config : home, own ? "" : "/.config", name);
    return n > 0 && n < PATH_MAX;
}

static bool is_in(const char *const *list, const char *line) {
    size_t n = strcspn(line, " \t");
    for (; list && *list; list++)
        if (strlen(*list) == n && memcmp(*list, line, n) == 0)
            return true;
    return false;
}

static void add_fault(struct config_lines *r, unsigned number, const char *why) {
    if (r->faults++ == 0)
        snprintf(r->fault, sizeof r->fault, "%s:%u: %.120s", r->name, number, why);
}

static void run(struct config_lines *r, unsigned number, const char *line) {
    r->app->message.text[0] = 0;
    r->app->message.is_error = false;
    command_line(r->app, line);
    if (r->app->message.is_error)
        add_fault(r, number, r->app->message.text);
}

/* Runs a line, or lets it wait. */
static void take_line(struct config_lines *r, unsigned number, const char *line) {
    char mark[16], safe[60];
    if (is_in(r->first, line) && !(r->waits && r->waits(line))) {
        run(r, number, line);
    } else if (is_in(r->later, line)) {
        snprintf(mark, sizeof mark, "%u ", number);
        chars_text(&r->waiting, mark);
        chars_text(&r->waiting, line);
        chars_add(&r->waiting, STR("\n"));
    } else {
        text_plain(safe, sizeof safe, (struct str){line, strcspn(line, " \t")},
                   r->app->grid.ascii ? TEXT_ASCII : 0);
        char why[120];
        snprintf(why, sizeof why, "%s is no command for this file", safe);
        add_fault(r, number, why);
    }
}

/* Calls take(r, number, line) for each line that is not empty, nor a comment. Blanks around it, and
 * a colon before, do not count. */
static void each_line(struct config_lines *r, char *text,
                      void (*take)(struct config_lines *r, unsigned number, const char *line)) {
    unsigned number = 0;
    for (char *next = text; next && *next;) {
        char *line = next + strspn(next, " \t:"), *end = next + strcspn(next, "\n");
        next = *end ? end + 1 : NULL;
        number++;
        while (end > line && strchr(" \t\r", end[-1]))
            end--;
        *end = 0;
        if (line < end && *line != '#')
            take(r, number, line);
    }
}

/* Shows the first fault, or again the message from before. */
static void say_faults(struct config_lines *r, const struct message *before) {
    r->app->message = *before;
    if (r->faults == 1)
        session_say(r->app, true, "%s", r->fault);
    else if (r->faults > 1)
        session_say(r->app, true, "%s (and %u more)", r->fault, r->faults - 1);
}

/* A path as a message shows it: "~" for the home folder. */
static void shown_path(const char *path, char *shown, size_t cap) {
    const char *home = getenv("HOME");
    size_t n = home ? strlen(home) : 0;
    bool inside = n > 1 && strncmp(path, home, n) == 0 && path[n] == '/';
    char text[PATH_MAX + 2];
    snprintf(text, sizeof text, "%s%s", inside ? "~" : "", path + (inside ? n : 0));
    text_plain(shown, cap, str_of(text), TEXT_ASCII);
}

/* The next lines are those of the text alone, or begin with the number of their own file. */
static void take_numbered(struct config_lines *r, unsigned number, const char *line) {
    char *command;
    (void)number;
    unsigned long own = strtoul(line, &command, 10);
    run(r, (unsigned)own, command);
}

bool config_lines_run(struct config_lines *r, const char *path) {
    struct err err;
    struct message before = r->app->message;
    shown_path(path, r->name, sizeof r->name);
    char *text = state_file_read(path, &err);
    if (text == NULL) {
        session_say(r->app, true, "%s: %s", r->name, err.text);
        return false;
    }
    files_read_path(path, FILES_READ_INPUT);
    each_line(r, text, take_line);
    free(text);
    say_faults(r, &before);
    return r->faults == 0;
}

void config_lines_waiting(struct config_lines *r, char *text) {
    struct message before = r->app->message;
    each_line(r, text, take_numbered);
    say_faults(r, &before);
}
