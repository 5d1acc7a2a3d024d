/* provider.h - Fuchsia's functions that make a program a trace provider.
 *
 * A program that is linked with libfxttrace is one without them: a constructor connects it if
 * FXTTRACE_SOCKET is set. They exist so that code for both systems compiles. A dispatcher is taken
 * and ignored. */
#ifndef FXTTRACE_PROVIDER_H
#define FXTTRACE_PROVIDER_H

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef struct trace_provider trace_provider_t;

/* name: of the provider, from its next connection on; NULL: the program's. The result is never
 * NULL. */
trace_provider_t *trace_provider_create_with_name_fdio(void *dispatcher, const char *name);
trace_provider_t *trace_provider_create_with_fdio(void *dispatcher);
void trace_provider_destroy(trace_provider_t *provider);

#pragma GCC visibility pop

#ifdef __cplusplus
}

namespace trace {
class TraceProviderWithFdio {
  public:
    explicit TraceProviderWithFdio(void *dispatcher = nullptr, const char *name = nullptr)
        : provider_(trace_provider_create_with_name_fdio(dispatcher, name)) {
    }
    ~TraceProviderWithFdio() {
        trace_provider_destroy(provider_);
    }
    TraceProviderWithFdio(const TraceProviderWithFdio &) = delete;
    TraceProviderWithFdio &operator=(const TraceProviderWithFdio &) = delete;
    bool is_valid() const {
        return provider_ != nullptr;
    }

  private:
    trace_provider_t *provider_;
};
} // namespace trace
#endif

#endif
