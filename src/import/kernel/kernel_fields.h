/* kernel_fields.h - the fields of an event as the kernel prints them, `key=value key=value`.
 *
 * A value may hold blanks, and text that looks like a field: the name of a thread is any bytes. */
#ifndef FXTOP_KERNEL_FIELDS_H
#define FXTOP_KERNEL_FIELDS_H

#include <stdint.h>

#include "src/base/str.h"

struct kernel_field {
    struct str key, value;
};

struct kernel_fields {
    struct str before; /* text before the first field */
    struct str rest;   /* after the last one that is in v, from its key on */
    size_t n;
};

/* Reads up to `most` fields from the left; a value goes to the blank before the next key. */
struct kernel_fields kernel_fields_read(struct str text, struct kernel_field *v, size_t most);

/* The value of the last field of this key: `key` is " pid=", and the first field lacks the blank.
 * It goes to the next field. */
bool kernel_fields_last(struct str text, struct str key, struct str *value);

/* Takes ` key=123` off the end of a text. */
bool kernel_fields_take_number(struct str *text, struct str key, int64_t *value);

bool kernel_fields_hex(struct str text, uint64_t *value); /* 0x1f */
struct str kernel_fields_trimmed(struct str text);        /* without blanks at its ends */

#endif
