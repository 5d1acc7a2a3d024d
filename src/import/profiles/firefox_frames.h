/* firefox_frames.h - the tables of a profile of Firefox that name functions: of a thread, or shared
 * by all threads, which versions of the format do as they like. */
#ifndef FXTOP_FIREFOX_FRAMES_H
#define FXTOP_FIREFOX_FRAMES_H

#include "src/import/import_whole.h"
#include "src/import/profiles/stack_tree.h"
#include "src/import/tables/columns.h"

#define FIREFOX_NO_PLACE UINT64_MAX

enum firefox_table {
    FIREFOX_STACKS,
    FIREFOX_FRAMES,
    FIREFOX_FUNCTIONS,
    FIREFOX_RESOURCES,
    FIREFOX_SOURCES,
    FIREFOX_STRINGS,
    FIREFOX_LIBS,
    FIREFOX_TABLES
};

/* In this order: versions that share one share all after it. */
struct firefox_places { /* of the tables in the text, or FIREFOX_NO_PLACE */
    uint64_t v[FIREFOX_TABLES];
};

struct firefox_names { /* of a list of objects with a `name`; without one it is empty */
    uint64_t at;       /* the place of the list */
    VEC(struct json_token) v;
};

/* Reads a list, unless it is the one that is there. */
void firefox_names_read(struct firefox_names *list, struct json_pull *pull, uint64_t at);

struct firefox_frames {
    struct import_whole *whole;
    struct firefox_places read;        /* the tables that are in memory */
    struct columns v[FIREFOX_STRINGS]; /* the tables of numbers */
    VEC(struct json_token) strings;
    struct firefox_names libs;
    struct stack_tree tree;           /* the stacks, by their numbers */
    VEC(struct samples_frame) frames; /* by their numbers; line is + 1 once it is known */
    bool *told_unnamed;
    struct json_pull_text text, file, dso;
};

/* *unnamed: functions without names have a note already */
void firefox_frames_init(struct firefox_frames *f, struct import_whole *whole, bool *unnamed);
void firefox_frames_free(struct firefox_frames *f);

void firefox_places_init(struct firefox_places *places);
/* Notes the value of `pull` if its key is that of a table. */
void firefox_places_key(struct firefox_places *places, const struct json_pull *pull);
/* Completes the tables of a thread by shared ones. Returns the number of those before the first
 * that is shared. */
int firefox_places_share(struct firefox_places *places, const struct firefox_places *shared);

/* Reads those that are not in memory, and makes stacks of them. */
void firefox_frames_read(struct firefox_frames *f, const struct firefox_places *places);
/* The text of a number; empty: there is none. */
struct str firefox_frames_string(const struct firefox_frames *f, int64_t i,
                                 struct json_pull_text *buf);

#endif
