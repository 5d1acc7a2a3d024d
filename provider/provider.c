/* provider.c - Fuchsia's functions that make a program a provider.
 *
 * A program is one when it is started, so a name is all that they change. */
#include "provider/lib/trace-provider/provider.h"

#include <stddef.h>

#include "provider/session.h"

struct trace_provider {
    int unused;
};

trace_provider_t *trace_provider_create_with_name_fdio(void *dispatcher, const char *name) {
    static trace_provider_t provider;
    (void)dispatcher;
    session_name(name);
    return &provider;
}

trace_provider_t *trace_provider_create_with_fdio(void *dispatcher) {
    return trace_provider_create_with_name_fdio(dispatcher, NULL);
}

void trace_provider_destroy(trace_provider_t *provider) {
    (void)provider;
}
