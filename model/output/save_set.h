/* save_set.h - several traces on one timeline as one file (--together --export=fxt). */
#ifndef FXTOP_SAVE_SET_H
#define FXTOP_SAVE_SET_H

#include <stdio.h>

#include "model/trace/trace.h"
#include "src/import/rewrite.h"

/* Writes a set that is open, read or not, as an archive (doc/EXPORT.md, 5.7). redact: enum
 * redact_what. Fails with one line. */
bool save_set(struct trace *trace, unsigned redact, FILE *out, struct err *err);
/* Writes a part of one that was read. choice: of rewrite_archive(). */
bool save_set_chosen(struct trace *trace, const struct rewrite_choice *choice, FILE *out,
                     struct err *err);

#endif
