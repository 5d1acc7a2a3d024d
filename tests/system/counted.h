/* counted.h - the steps and the memory of what is compiled to be counted.
 *
 * The floors are compiled with a call at each branch (trace-pc). Calls that copy, clear and compare
 * memory are wrapped, too: a step is a branch, or 32 bytes. All threads have one processor, and
 * each look at the clock takes 100 us. So the same bytes give the same count in every run. Memory
 * is what is allocated and not freed. */
#ifndef FXTOP_TESTS_SYSTEM_COUNTED_H
#define FXTOP_TESTS_SYSTEM_COUNTED_H

#include <stdint.h>

extern uint64_t counted_steps;
extern int64_t counted_bytes, counted_most; /* now, and at most */

#endif
