/* recording_elsewhere.c - fxtop record on systems that cannot record. */
#include <stdio.h>

#include "record/recording.h"

int recording_main(int argc, char **argv, bool ascii, struct recording_live *live) {
    (void)argc;
    (void)argv;
    (void)ascii;
    (void)live;
    fputs("fxtop record: it needs Linux\n", stderr);
    return 125;
}

int recording_live_end(struct recording_live *live) {
    (void)live;
    return 125;
}

struct command_line_table recording_table(void) {
    return (struct command_line_table){NULL, 0};
}

struct recording_names *recording_names_open(const char *folder, bool ascii, struct err *err) {
    (void)folder;
    (void)ascii;
    err_set(err, ERR_NO_OFFSET, "--symbols: it needs Linux");
    return NULL;
}

void recording_names_close(struct recording_names *names) {
    (void)names;
}

const struct symbols_source *recording_names_source(const struct recording_names *names) {
    (void)names;
    return NULL;
}

const char *recording_names_bad(const struct recording_names *names, unsigned *n) {
    (void)names;
    *n = 0;
    return NULL;
}
