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
