/* rewrite.h - any trace as one clean .fxt (--export=fxt): little-endian, decompressed, without damage. */
#ifndef FXTOP_REWRITE_H
#define FXTOP_REWRITE_H

#include <stdio.h>

#include "src/fxt/reader.h"

/* Writes every record that is shown, in the order of the file, with ticks as they are. Left out is what no reader of the
 * format can use: records that are only counted (SEMANTICS 3.11, 3.14), and arguments after a malformed one. */
bool rewrite_fxt(const char *path, const struct file_options *options, FILE *out, struct err *err);

#endif
