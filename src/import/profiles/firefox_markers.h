/* firefox_markers.h - the markers of a thread in a profile of Firefox: slices, instants and log
 * records of a row of their own. */
#ifndef FXTOP_FIREFOX_MARKERS_H
#define FXTOP_FIREFOX_MARKERS_H

#include "src/base/map.h"
#include "src/import/profiles/firefox_frames.h"
#include "src/import/spans/span_store.h"

struct firefox_field { /* of a type of markers: its value is the number of a text */
    struct str type, key;
};

struct firefox_markers {
    struct import_whole *whole;
    const struct firefox_frames *frames; /* of the thread */
    struct columns table;
    VEC(struct firefox_field) fields;
    struct map by_field;
    struct span_store args; /* of a marker */
    struct writer_thread row;
    const struct firefox_names *categories; /* of the process */
    uint64_t screenshots, first;            /* left out so far; the place of the first one */
    VEC(char) log;
    struct json_pull_text text, type, name, level;
};

void firefox_markers_init(struct firefox_markers *m, struct import_whole *whole);
void firefox_markers_free(struct firefox_markers *m);

/* The value of `pull` is the list of types of markers. */
void firefox_markers_schema(struct firefox_markers *m);

/* Reads the table at this place, with times after `from`. */
void firefox_markers_read(struct firefox_markers *m, uint64_t at, struct json_time from, int unit);
/* Writes the marker of a row. */
void firefox_markers_write(struct firefox_markers *m, size_t row);
/* Counts the screenshots so far, which are in no record. */
void firefox_markers_end(struct firefox_markers *m);

#endif
