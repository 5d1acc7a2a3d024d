/* unwind.h - the callers of a function by the table of frames of its program (.eh_frame), for
 * programs without frame pointers.
 *
 * The kernel has copied the registers and the top of the stack. libdw does this, too, but takes a
 * tenth of a millisecond for a stack, and is no match for a hostile file. So the table is read
 * here: within bounds, in steps that are limited. A rule that was found is kept for the next
 * sample. */
#ifndef FXTOP_UNWIND_H
#define FXTOP_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/watch/binary.h"

/* Registers by their numbers in the table. */
#if defined(__aarch64__)
#define UNWIND_REGISTERS 33
#define UNWIND_FRAME 29
#define UNWIND_STACK 31
#define UNWIND_RETURN 30
#define UNWIND_MASK ((UINT64_C(1) << 33) - 1) /* of the kernel's */
#else
#define UNWIND_REGISTERS 17
#define UNWIND_FRAME 6
#define UNWIND_STACK 7
#define UNWIND_RETURN 16
#define UNWIND_MASK UINT64_C(0xff01ff)
#endif

struct unwind_state {
    uint64_t pc;
    bool exact; /* pc is the instruction of the thread, not a return address */
    uint64_t r[UNWIND_REGISTERS];
    uint64_t known; /* a bit for each */
    uint64_t start; /* address of the copy of the stack */
    const unsigned char *stack;
    size_t n;
    bool cut; /* the copy ended too soon */
};

struct unwind; /* the table of a program or library */

/* Reads a table. NULL: there is none, or `most` bytes are too few. */
struct unwind *unwind_open(int fd, const struct binary *binary, size_t most);
void unwind_close(struct unwind *unwind);
size_t unwind_bytes(const struct unwind *unwind);

/* Registers as the kernel has them: those of UNWIND_MASK in their order. */
void unwind_begin(struct unwind_state *state, const uint64_t *registers);
/* Goes to the caller. address: that of pc in the program's own numbering. unwind NULL, or no entry:
 * by the frame pointer. False: there is no caller, or it is not known. */
bool unwind_step(struct unwind *unwind, struct unwind_state *state, uint64_t address);

#endif
