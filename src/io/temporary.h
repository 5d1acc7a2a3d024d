/* temporary.h - files without a name, of mode 0600, that vanish with their descriptor. */
#ifndef FXTOP_TEMPORARY_H
#define FXTOP_TEMPORARY_H

/* Opens one in $TMPDIR, else in /var/tmp. -1: errno has the reason. */
int temporary_open(void);

/* Moves a descriptor above 2: 0 to 2 may be closed, and a file in their place would catch what is
 * printed. Closes it and returns -1 if it cannot; a negative one is returned. */
int temporary_above_standard(int fd);

/* Lets a write fail where ulimit -f would end the program. */
void temporary_outlive_limit(void);

#endif
