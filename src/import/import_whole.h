/* import_whole.h - the common part of importers that need all of a JSON document before the first
 * record: its bytes in memory, then records, places and faults in parts.
 *
 * An importer reads once import_whole_take() is true, and writes some records in each step. */
#ifndef FXTOP_IMPORT_WHOLE_H
#define FXTOP_IMPORT_WHOLE_H

#include "src/fxt/writer.h"
#include "src/import/json/json_pull.h"
#include "src/import/profiles/samples.h"

struct import_whole {
    struct json_pull pull;
    struct writer w; /* of the records; its ticks are nanoseconds */
    struct samples *samples;
    uint64_t made_tid, faults, most;
    bool hurried, reads;           /* reads: all bytes are there */
    bool done;                     /* all records are written */
    bool lost;                     /* the fault of the document is counted */
    bool told;                     /* so is that it has no events */
    bool clocked;                  /* the importer writes the initialization record */
    VEC(struct import_mark) marks; /* of this step */
    VEC(struct import_case) cases;
};

void import_whole_init(struct import_whole *whole);
void import_whole_free(struct import_whole *whole);

/* Adds bytes. True: all are there, now or before. */
bool import_whole_take(struct import_whole *whole, struct str bytes, bool last);
/* Reads the bytes so far, at the next step; later ones are left out. */
void import_whole_hurry(struct import_whole *whole);
/* The words, places and faults since import_whole_take(), and a note if all are there without an
 * event. more: there are further ones. */
struct import_news import_whole_news(struct import_whole *whole, bool more);

/* Whether a step has written enough. */
static inline bool import_whole_full(const struct import_whole *whole) {
    return whole->w.bytes.n + whole->cases.n * sizeof *whole->cases.v > (size_t)1 << 18;
}

/* Goes to the next document, an object. False: there is none; a fault of the last one is counted.
 */
bool import_whole_document(struct import_whole *whole);
/* The records from here on are made of this byte. */
void import_whole_mark(struct import_whole *whole, uint64_t at);
/* Counts a fault at this byte. */
void import_whole_fault(struct import_whole *whole, enum import_fault kind, uint64_t at,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A text for a record, of at most a quarter of its size; a long one is not registered. */
struct writer_string import_whole_text(struct import_whole *whole, struct str text);
/* Names a process, or a thread of one. */
void import_whole_process(struct import_whole *whole, uint64_t pid, struct str name);
void import_whole_thread(struct import_whole *whole, uint64_t pid, uint64_t tid, struct str name);

/* Half of the memory that is free. */
uint64_t import_whole_memory(void);

#endif
