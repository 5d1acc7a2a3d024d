/* recording.h - the command line of fxtop record (fxtop(1), RECORD). */
#ifndef FXTOP_RECORDING_H
#define FXTOP_RECORDING_H

#include <stdbool.h>

/* argv[0] is "record". ascii: messages are in ASCII. Returns the exit status: 125 if recording itself failed. */
int recording_main(int argc, char **argv, bool ascii);

#endif
