/* config.c - runs the configuration at the start, and its lines about the trace when that is
 * read. */
#include "ui/config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/config/config_lines.h"
#include "ui/config/settings.h"

static const char *const at_once[] = {"set", "map", "unmap", "theme", "style", NULL};
static const char *const when_read[] = {"set",   "filter", "only",  "scale", "value",
                                        "stack", "flows",  "pivot", NULL};

static bool waits(const char *line) {
    return strncmp(line, "set ", 4) == 0 && settings_of_trace(line + 4 + strspn(line + 4, " "));
}

void config_take(struct app *app, const char *path) {
    char own[PATH_MAX];
    struct startup *startup = &app->startup;
    if (*path == 0 && (!config_lines_path("config", own) || access(own, F_OK) != 0))
        return;
    struct config_lines r = {.app = app, .first = at_once, .later = when_read, .waits = waits};
    config_lines_run(&r, *path ? path : own);
    free(startup->config_later);
    startup->config_later = NULL;
    if (r.waiting.n > 0) {
        startup->config_later = err_copy(r.waiting.v, r.waiting.n);
        snprintf(startup->config_name, sizeof startup->config_name, "%s", r.name);
    }
    vec_free(&r.waiting);
}

void config_finish(struct app *app) {
    char *text = app->startup.config_later;
    struct config_lines r = {.app = app};
    if (text == NULL)
        return;
    app->startup.config_later = NULL;
    snprintf(r.name, sizeof r.name, "%s", app->startup.config_name);
    config_lines_waiting(&r, text);
    free(text);
}
