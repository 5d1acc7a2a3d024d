/* foreign.h - formats that are no trace for fxtop: their names, and what makes traces of them. */
#ifndef FXTOP_FOREIGN_H
#define FXTOP_FOREIGN_H

#include <stdbool.h>

#include "src/base/str.h"

#define FOREIGN_FIRST 4096 /* bytes that are looked at */
#define FOREIGN_LEAST 8    /* that decide whether it may be one */
#define FOREIGN_BRIEF 32   /* enough for most */

bool foreign_may_be(struct str first); /* 8 bytes: false if they are the magic of FXT, or begin JSON */
/* Names the format of a file with these first bytes, and what makes a trace of it; NULL: it may be a trace. */
const char *foreign_name(struct str first);

#endif
