/* unpack.h - the packets within a packet that is compressed, piece by piece. */
#ifndef FXTOP_UNPACK_H
#define FXTOP_UNPACK_H

#include "src/base/str.h"

#define UNPACK_MOST ((uint64_t)1 << 30) /* bytes of one packet */

struct unpack;

/* zstd: else zlib. NULL: this program has no such decoder. */
struct unpack *unpack_new(bool zstd);
void unpack_free(struct unpack *u); /* may be NULL */

enum unpack_answer { UNPACK_MORE, UNPACK_END, UNPACK_DAMAGED, UNPACK_TOO_LARGE };

/* Takes bytes off the front of the input and gives a piece, until there is no further one. The
 * piece lasts until the next call, and counts whatever the answer. */
enum unpack_answer unpack_some(struct unpack *u, struct str *input, struct str *piece);

#endif
