/* call_tables.h - names of system calls and errors by their numbers, and the kinds of arguments.
 *
 * They are texts: words in the order of numbers, and lines. */
#ifndef FXTOP_CALL_TABLES_H
#define FXTOP_CALL_TABLES_H

extern const char call_tables_x86_64[];
extern const char call_tables_i386[]; /* also 32-bit programs on x86_64 */
extern const char call_tables_aarch64[];

/* Each line is a name, and its arguments with their kind in front: @ a descriptor, $ the address of
 * a file name, * another address; of numbers - int, + unsigned, < 64 bits with sign, > without. */
extern const char call_tables_arguments[];

extern const char call_tables_errors[]; /* from 1 on */

#endif
