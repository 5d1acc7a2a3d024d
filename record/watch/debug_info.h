/* debug_info.h - functions and lines of a program or library by address, with those that the
 * compiler has put inside of others, by libdw.
 *
 * They are in its symbol table, and in debug information, which may be in a file of its own.
 * libdw is no match for a hostile file: it is called in a process that may end (namer.h). */
#ifndef FXTOP_DEBUG_INFO_H
#define FXTOP_DEBUG_INFO_H

#include <stdbool.h>
#include <stdint.h>

#define DEBUG_INFO_NAME 1024 /* bytes, with the NUL */
#define DEBUG_INFO_DEPTH 32  /* functions within each other */

struct debug_info_frame {
    char name[DEBUG_INFO_NAME];
    char file[DEBUG_INFO_NAME]; /* "": not known */
    unsigned line;              /* 0: not known */
};

struct debug_info;

/* Whether this program has libdw. */
bool debug_info_available(void);
/* Takes the descriptor. NULL: it is no such file, or has another build id, in hex, than it should
 * have; "" if it is not known. symbols: a folder with debug information; NULL: none. */
struct debug_info *debug_info_open(int fd, const char *path, const char *build_id,
                                   const char *symbols);
void debug_info_close(struct debug_info *info);
/* The functions at an address in the file's own numbering, the innermost first. Their number; 0: it
 * is not known. */
unsigned debug_info_find(struct debug_info *info, uint64_t address,
                         struct debug_info_frame frames[DEBUG_INFO_DEPTH]);

#endif
