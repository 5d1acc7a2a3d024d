/* parts.h - several files, or words that the program makes, in one space of offsets.
 *
 * Each part has a slot of the space; between its end and the next slot are no bytes. file.h hands
 * its questions about a set here; this module asks the file of each part. */
#ifndef FXTOP_PARTS_H
#define FXTOP_PARTS_H

#include "src/io/file.h"

struct parts;

/* One part, `first`, which now belongs to the parts. grow: so many will be there that grow, of
 * which each has an equal share of the space; 0: none does. */
struct parts *parts_new(struct file *first, size_t grow);
/* Parts of so many bytes each, one after the other from `begin` on, of one file. */
struct parts *parts_within(struct file *file, uint64_t begin, const uint64_t *bytes, size_t n);
void parts_free(struct parts *parts);
/* Adds a part. False: it has no space, or there are too many; it stays the caller's. */
bool parts_add(struct parts *parts, struct file *file, bool derived, struct err *err);

size_t parts_count(const struct parts *parts);
struct file *parts_file(const struct parts *parts, size_t i);
void parts_get(const struct parts *parts, size_t i, struct file_part *part);
/* The part whose slot has an offset. */
size_t parts_at(const struct parts *parts, uint64_t at);

/* As the functions of file.h with these names. */
bool parts_step(struct parts *parts, size_t bytes, int wait_ms);
bool parts_follow(struct parts *parts, bool on);
bool parts_must_reopen(const struct parts *parts);
bool parts_any(const struct parts *parts, bool (*is)(const struct file *file));
enum file_change parts_changed(struct parts *parts);
bool parts_may_have_changed(struct parts *parts);
int parts_fd(const struct parts *parts);
uint64_t parts_size(const struct parts *parts);
bool parts_ended(const struct parts *parts);
bool parts_is_whole(const struct parts *parts);
enum file_fault parts_fault(const struct parts *parts, const char **why);
void parts_progress(const struct parts *parts, uint64_t *done, uint64_t *total);
const void *parts_span(struct parts *parts, uint64_t at, size_t want, size_t *n);
uint64_t parts_data(const struct parts *parts, uint64_t at);
void parts_passed(struct parts *parts, uint64_t at);

#endif
