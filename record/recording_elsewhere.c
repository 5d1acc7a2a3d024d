/* recording_elsewhere.c - fxtop record on systems that cannot record. */
#include <stdio.h>

#include "record/recording.h"

int recording_main(int argc, char **argv, bool ascii) {
    (void)argc;
    (void)argv;
    (void)ascii;
    fputs("fxtop record: it needs Linux\n", stderr);
    return 125;
}
