/* speedscope.h - the importer of speedscope's own files, as py-spy, pyinstrument, rbspy and
 * dotnet-trace write them. */
#ifndef FXTOP_SPEEDSCOPE_H
#define FXTOP_SPEEDSCOPE_H

#include "src/io/import.h"

extern const struct importer speedscope;

#endif
