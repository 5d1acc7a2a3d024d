/* proto_text.h - protobuf messages as text for fixtures, much as `protoc --decode_raw` prints them.
 *
 *     8: 12             a number; also negative
 *     5: 1.5            a double
 *     47: 0x0000000000000007
 *                       64 bits; with 8 digits 32 bits
 *     2: "net\n"        bytes
 *     1: [1, 2, -3]     packed numbers
 *     11 { 9: 1 }       a message
 *     50 zlib { ... }   the same, compressed
 *     raw: "\377"       bytes without a field
 *     # ...             a comment
 */
#ifndef FXTOP_PROTO_TEXT_H
#define FXTOP_PROTO_TEXT_H

#include <stddef.h>

/* The bytes, which the caller frees. NULL: the text is wrong at *at. */
char *proto_text(const char *text, size_t *n, const char **at);

#endif
