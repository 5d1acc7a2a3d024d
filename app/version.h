/* version.h - the text of --version. */
#ifndef FXTOP_VERSION_H
#define FXTOP_VERSION_H

#include <stdbool.h>
#include <stdio.h>

/* The version, then the features that this build has and those that it lacks, a line each for
 * scripts. `terminals`: it has descriptions of terminals inside. */
void version_print(FILE *out, bool terminals);

#endif
