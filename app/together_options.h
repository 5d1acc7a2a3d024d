/* together_options.h - the options of --together, as typed. */
#ifndef FXTOP_TOGETHER_OPTIONS_H
#define FXTOP_TOGETHER_OPTIONS_H

#include "model/trace/trace.h"

#define TOGETHER_MOST 64 /* traces */

struct together {
    bool on;
    enum align_how how;
    const char *offsets[TOGETHER_MOST]; /* NAME=TIME */
    int noffsets;
    const char *reference; /* NULL: the first */
    bool same_host;
    const char *hosts; /* of same_host: names; NULL: of all */
    bool joins_flows;
    const char *category; /* of joins_flows; NULL: of all */
};

/* The option that --together needs to be given for; NULL: none was. */
const char *together_alone(const struct together *together);

#endif
