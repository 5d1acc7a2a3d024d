/* fuzz.h - what the fuzzer is let loose on. A target takes any bytes and ends the program where
 * something does not hold that must hold of all bytes; one file each. fuzz_main.c makes libFuzzer's
 * program of a target, replay.c runs them all over tests/fuzz/corpus. */
#ifndef FXTOP_FUZZ_H
#define FXTOP_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/str.h"

struct importer;

void fuzz_import(const uint8_t *data, size_t size); /* a trace in JSON, collapsed stacks */
void fuzz_key(const uint8_t *data, size_t size);    /* what a terminal sends, and names of keys */
/* a provider's messages, packets and words of its buffer */
void fuzz_packet(const uint8_t *data, size_t size);
void fuzz_proto(const uint8_t *data, size_t size); /* packets of Perfetto, by their fields */
/* what a user types: patterns, times, lines, options */
void fuzz_query(const uint8_t *data, size_t size);
void fuzz_reader(const uint8_t *data, size_t size);  /* a trace: read, nested, exported */
void fuzz_readout(const uint8_t *data, size_t size); /* a trace buffer */
void fuzz_sql(const uint8_t *data, size_t size);     /* statements over a trace */
void fuzz_text(const uint8_t *data, size_t size);    /* a trace's text on its way out */
/* keys, then the trace that they are pressed on */
void fuzz_view(const uint8_t *data, size_t size);

/* A source by one importer, in pieces of so many bytes, too. */
void fuzz_import_of(const struct importer *importer, struct str source, size_t piece);

/* Prints what does not hold, and ends the program. */
_Noreturn void fuzz_unsound(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define FUZZ_MUST(condition)                                                                       \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_unsound("%s:%d: %s", __FILE__, __LINE__, #condition);                             \
    } while (0)

/* The bytes in memory under a name that can be opened; close() the result. */
int fuzz_hold(const uint8_t *data, size_t size, char path[40]);

#endif
