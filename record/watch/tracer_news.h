/* tracer_news.h - the messages of the process that traces system calls. */
#ifndef FXTOP_TRACER_NEWS_H
#define FXTOP_TRACER_NEWS_H

#include <stdint.h>

#include "record/watch/call_names.h"

#define TRACER_TEXT 4096 /* bytes, with the NUL */

enum tracer_kind {
    TRACER_READY,   /* it traces the program */
    TRACER_REFUSED, /* it cannot, and ends; the text is the reason */
    TRACER_ENTERS,  /* a thread enters a call; the text is a file that it is about */
    TRACER_LEAVES,  /* and leaves it; the text is the file that it has opened */
    TRACER_ENDS,    /* a thread has ended */
    TRACER_SENT     /* all so far is sent */
};

struct tracer_news {
    uint32_t size; /* bytes, with the text */
    uint8_t kind;  /* enum tracer_kind */
    uint8_t narrow;
    uint16_t text; /* bytes of it, without the NUL; 0: none */
    uint32_t pid, tid;
    uint64_t time; /* ns of CLOCK_MONOTONIC */
    uint64_t number, result;
    uint64_t arguments[CALL_NAMES_ARGUMENTS];
};

#endif
