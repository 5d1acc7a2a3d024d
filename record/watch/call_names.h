/* call_names.h - what a system call is called, and its arguments. */
#ifndef FXTOP_CALL_NAMES_H
#define FXTOP_CALL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/str.h"

#define CALL_NAMES_ARGUMENTS 6

enum call_kind {
    CALL_DESCRIPTOR = '@',
    CALL_PATH = '$',
    CALL_ADDRESS = '*',
    CALL_INT = '-',
    CALL_UNSIGNED = '+',
    CALL_LONG = '<',
    CALL_SIZE = '>'
};

struct call_argument {
    char kind; /* enum call_kind */
    struct str name;
};

struct call_name {
    struct str name; /* "": there is no call of that number */
    unsigned n;      /* arguments that are known */
    struct call_argument arguments[CALL_NAMES_ARGUMENTS];
};

/* The call of a number: of this machine's programs, or of its 32-bit ones. Valid for ever. */
const struct call_name *call_names_find(uint64_t number, bool narrow);
/* Whether its result is a descriptor. */
bool call_names_opens(const struct call_name *call);
/* The name of an error, such as ENOENT; also of those that only the kernel and tracers see. "": it
 * has none. */
struct str call_names_error(uint64_t number);

#endif
