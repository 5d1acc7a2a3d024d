/* together_options.c - which of the options of --together was given without it. */
#include "app/together_options.h"

const char *together_alone(const struct together *t) {
    if (t->on)
        return NULL;
    if (t->noffsets > 0)
        return "offset";
    if (t->how != ALIGN_FOUND)
        return "align";
    if (t->reference)
        return "reference";
    if (t->joins_flows)
        return "join-flows";
    return t->same_host ? "same-host" : NULL;
}
