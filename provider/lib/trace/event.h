/* event.h - the trace macros (fxttrace(3)): names and order of arguments are those of Fuchsia's
 * <lib/trace/event.h>.
 *
 * Categories and names of literals are registered once a call site, others at each event. While
 * tracing is off a macro is one load and one branch, and evaluates no argument. Define NTRACE to
 * compile all of them to nothing. C11, C++17, GCC or Clang. */
#ifndef FXTTRACE_EVENT_H
#define FXTTRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event_args.h"

#ifdef __cplusplus
extern "C" {
#endif

/* so that a plugin uses the library of a program that exports it */
#pragma GCC visibility push(default)

typedef uint64_t trace_ticks_t;
typedef uint64_t trace_vthread_id_t;
typedef uint64_t trace_flow_id_t;
typedef uint64_t trace_async_id_t;
typedef uint64_t trace_counter_id_t;
typedef uint32_t trace_blob_type_t;
typedef enum {
    TRACE_SCOPE_THREAD = 0,
    TRACE_SCOPE_PROCESS = 1,
    TRACE_SCOPE_GLOBAL = 2
} trace_scope_t;
enum { TRACE_BLOB_TYPE_DATA = 1, TRACE_BLOB_TYPE_LAST_BRANCH = 2, TRACE_BLOB_TYPE_PERFETTO = 3 };

/* ---- what the macros call ---- */

struct fxttrace_site {   /* a call site; static, and all zeros before its first event */
    uint32_t generation; /* for which the rest holds */
    uint32_t off;        /* the generation in which its category is disabled */
    uint16_t category, name, arguments[15];
};

enum fxttrace_what { /* kinds of events as in the record, 8 bits; and: */
                     FXTTRACE_INSTANT = 0,
                     FXTTRACE_COUNTER = 1,
                     FXTTRACE_BEGIN = 2,
                     FXTTRACE_END = 3,
                     FXTTRACE_COMPLETE = 4,
                     FXTTRACE_ASYNC_BEGIN = 5,
                     FXTTRACE_ASYNC_INSTANT = 6,
                     FXTTRACE_ASYNC_END = 7,
                     FXTTRACE_FLOW_BEGIN = 8,
                     FXTTRACE_FLOW_STEP = 9,
                     FXTTRACE_FLOW_END = 10,
                     FXTTRACE_LITERAL_CATEGORY = 1 << 16,
                     FXTTRACE_LITERAL_NAME = 1 << 17,
};

#define FXTTRACE_ARGS_WORDS 48 /* of a scope's arguments, encoded; texts that do not fit are cut */

struct fxttrace_scope {
    uint32_t generation; /* in which it began; 0: nothing is to be written */
    uint32_t what;
    struct fxttrace_site *site;
    const char *category, *name;
    uint64_t begin;        /* ticks */
    uint32_t count, words; /* arguments, and the words in encoded[] */
    uint64_t encoded[1];   /* FXTTRACE_ARGS_WORDS if the macro has arguments */
};

struct fxttrace_scope_args {
    struct fxttrace_scope scope;
    uint64_t more[FXTTRACE_ARGS_WORDS - 1];
};

extern uint32_t fxttrace_generation; /* 0: tracing is off; as an int32_t below 0: not on yet */

void fxttrace_write(struct fxttrace_site *site, const char *category, const char *name,
                    uint32_t what, uint64_t extra, const struct fxttrace_arg *arguments,
                    uint32_t count);
void fxttrace_scope_begin(struct fxttrace_scope *scope, struct fxttrace_site *site,
                          const char *category, const char *name, uint32_t what,
                          const struct fxttrace_arg *arguments, uint32_t count);
void fxttrace_scope_end(struct fxttrace_scope *scope);
void fxttrace_virtual(struct fxttrace_site *site, const char *category, const char *name,
                      uint32_t what, uint64_t extra, const struct fxttrace_arg *arguments,
                      uint32_t count, const char *thread, uint64_t thread_id, uint64_t ticks);
void fxttrace_blob(uint32_t type, const char *name, const void *bytes, size_t size);
void fxttrace_blob_event(struct fxttrace_site *site, const char *category, const char *name,
                         uint32_t what, const void *bytes, size_t size,
                         const struct fxttrace_arg *arguments, uint32_t count, int attachment);
void fxttrace_alert(const char *category, const char *name);
bool fxttrace_category_enabled(const char *category);
uint64_t fxttrace_nonce(void);
trace_ticks_t fxttrace_ticks(void);

/* The same without macros, for other languages: texts are looked up at each event. */
void fxttrace_begin(const char *category, const char *name);
void fxttrace_end(const char *category, const char *name);
void fxttrace_instant(const char *category, const char *name);
/* A slice from `begin`, of fxttrace_ticks(), to now; at most 15 arguments. */
void fxttrace_complete(const char *category, const char *name, trace_ticks_t begin,
                       const struct fxttrace_arg *arguments, uint32_t count);
void fxttrace_counter(const char *category, const char *name, uint64_t id, const char *key,
                      double value);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

/* ---- the macros ---- */

#ifdef NTRACE

#define TRACE_ENABLED() (false)
#define TRACE_CATEGORY_ENABLED(category) ((void)(category), false)
#define TRACE_NONCE() (UINT64_C(0))
#define FXTTRACE_EVENT(category, name, what, extra, ...)                                           \
    do {                                                                                           \
        if (0) {                                                                                   \
            const struct fxttrace_arg fxttrace_args[] = {FXTTRACE_PAIRS(__VA_ARGS__)};             \
            (void)fxttrace_args, (void)(category), (void)(name), (void)(extra);                    \
        }                                                                                          \
    } while (0)
#define FXTTRACE_VIRTUAL(category, name, what, extra, thread, id, ticks, ...)                      \
    FXTTRACE_EVENT(category, name, what, ((void)(thread), (void)(id), (void)(ticks), extra),       \
                   __VA_ARGS__)
#define TRACE_DURATION(category, ...)                                                              \
    FXTTRACE_EVENT(category, FXTTRACE_FIRST(__VA_ARGS__), 0, 0, __VA_ARGS__)
#define TRACE_BLOB(type, name, bytes, size)                                                        \
    ((void)(type), (void)(name), (void)(bytes), (void)(size))
#define TRACE_BLOB_EVENT(category, name, bytes, ...)                                               \
    FXTTRACE_EVENT(category, name, 0, ((void)(bytes), FXTTRACE_FIRST(__VA_ARGS__)), __VA_ARGS__)
#define TRACE_BLOB_ATTACHMENT(category, name, bytes, size)                                         \
    ((void)(category), (void)(name), (void)(bytes), (void)(size))
#define TRACE_ALERT(category, name) ((void)(category), (void)(name))

#else

#define TRACE_ENABLED() ((int32_t)__atomic_load_n(&fxttrace_generation, __ATOMIC_RELAXED) > 0)
#define TRACE_CATEGORY_ENABLED(category) (TRACE_ENABLED() && fxttrace_category_enabled(category))
#define TRACE_NONCE() fxttrace_nonce()

#define FXTTRACE_LITERALS(category, name)                                                          \
    ((uint32_t)(__builtin_constant_p(category) ? FXTTRACE_LITERAL_CATEGORY : 0) |                  \
     (uint32_t)(__builtin_constant_p(name) ? FXTTRACE_LITERAL_NAME : 0))

/* Runs the statement if tracing is on, and the category of the site is not known to be disabled. */
#define FXTTRACE_IF_ON(site, ...)                                                                  \
    do {                                                                                           \
        uint32_t fxttrace_now = __atomic_load_n(&fxttrace_generation, __ATOMIC_RELAXED);           \
        if (__builtin_expect(fxttrace_now != 0, 0)) {                                              \
            static struct fxttrace_site site;                                                      \
            if (__atomic_load_n(&site.off, __ATOMIC_RELAXED) != fxttrace_now) {                    \
                __VA_ARGS__;                                                                       \
            }                                                                                      \
        }                                                                                          \
    } while (0)

#define FXTTRACE_EVENT(category, name, what, extra, ...)                                           \
    FXTTRACE_IF_ON(                                                                                \
        fxttrace_site, const struct fxttrace_arg fxttrace_args[] = {FXTTRACE_PAIRS(__VA_ARGS__)};  \
        fxttrace_write(&fxttrace_site, category, name, (what) | FXTTRACE_LITERALS(category, name), \
                       (uint64_t)(extra), fxttrace_args, FXTTRACE_COUNT(__VA_ARGS__)))

#define FXTTRACE_VIRTUAL(category, name, what, extra, thread, id, ticks, ...)                      \
    FXTTRACE_IF_ON(fxttrace_site,                                                                  \
                   const struct fxttrace_arg fxttrace_args[] = {FXTTRACE_PAIRS(__VA_ARGS__)};      \
                   fxttrace_virtual(&fxttrace_site, category, name,                                \
                                    (what) | FXTTRACE_LITERALS(category, name), (uint64_t)(extra), \
                                    fxttrace_args, FXTTRACE_COUNT(__VA_ARGS__), thread,            \
                                    (uint64_t)(id), (uint64_t)(ticks)))

/* From here to the end of the block. */
#define TRACE_DURATION(category, ...)                                                              \
    FXTTRACE_JOIN(FXTTRACE_SCOPE_, FXTTRACE_JOIN(FXTTRACE_ANY_, FXTTRACE_COUNT(__VA_ARGS__)))      \
    (category, FXTTRACE_JOIN(fxttrace_scope_, __LINE__), __VA_ARGS__)

#define FXTTRACE_SCOPE_BEGIN(category, scope, ...)                                                 \
    FXTTRACE_IF_ON(                                                                                \
        fxttrace_site, const struct fxttrace_arg fxttrace_args[] = {FXTTRACE_PAIRS(__VA_ARGS__)};  \
        fxttrace_scope_begin(scope, &fxttrace_site, category, FXTTRACE_FIRST(__VA_ARGS__),         \
                             FXTTRACE_LITERALS(category, FXTTRACE_FIRST(__VA_ARGS__)),             \
                             fxttrace_args, FXTTRACE_COUNT(__VA_ARGS__)))

/* FXTTRACE_ANY_n is 0 or 1: whether there are arguments, which need space in the scope. */
#define FXTTRACE_ANY_0 0
#define FXTTRACE_ANY_1 1
#define FXTTRACE_ANY_2 1
#define FXTTRACE_ANY_3 1
#define FXTTRACE_ANY_4 1
#define FXTTRACE_ANY_5 1
#define FXTTRACE_ANY_6 1
#define FXTTRACE_ANY_7 1
#define FXTTRACE_ANY_8 1
#define FXTTRACE_ANY_9 1
#define FXTTRACE_ANY_10 1
#define FXTTRACE_ANY_11 1
#define FXTTRACE_ANY_12 1
#define FXTTRACE_ANY_13 1
#define FXTTRACE_ANY_14 1
#define FXTTRACE_ANY_15 1

#ifdef __cplusplus
namespace fxttrace_internal {
template <typename T> struct ending {
    T space;
    ending() {
        head()->generation = 0;
    }
    ~ending() {
        if (__builtin_expect(head()->generation != 0, 0))
            fxttrace_scope_end(head());
    }
    ending(const ending &) = delete;
    ending &operator=(const ending &) = delete;
    struct fxttrace_scope *head() {
        return reinterpret_cast<struct fxttrace_scope *>(&space);
    }
};
} // namespace fxttrace_internal
#define FXTTRACE_SCOPE_0(category, scope, ...)                                                     \
    fxttrace_internal::ending<struct fxttrace_scope> scope;                                        \
    FXTTRACE_SCOPE_BEGIN(category, scope.head(), __VA_ARGS__)
#define FXTTRACE_SCOPE_1(category, scope, ...)                                                     \
    fxttrace_internal::ending<struct fxttrace_scope_args> scope;                                   \
    FXTTRACE_SCOPE_BEGIN(category, scope.head(), __VA_ARGS__)
#else
static inline void fxttrace_leave(struct fxttrace_scope *scope) {
    if (__builtin_expect(scope->generation != 0, 0))
        fxttrace_scope_end(scope);
}
static inline void fxttrace_leave_args(struct fxttrace_scope_args *scope) {
    fxttrace_leave(&scope->scope);
}
#define FXTTRACE_SCOPE_0(category, variable, ...)                                                  \
    struct fxttrace_scope variable __attribute__((cleanup(fxttrace_leave)));                       \
    variable.generation = 0;                                                                       \
    FXTTRACE_SCOPE_BEGIN(category, &variable, __VA_ARGS__)
#define FXTTRACE_SCOPE_1(category, variable, ...)                                                  \
    struct fxttrace_scope_args variable __attribute__((cleanup(fxttrace_leave_args)));             \
    variable.scope.generation = 0;                                                                 \
    FXTTRACE_SCOPE_BEGIN(category, &variable.scope, __VA_ARGS__)
#endif

#define TRACE_BLOB(type, name, bytes, size)                                                        \
    do {                                                                                           \
        if (__builtin_expect(TRACE_ENABLED(), 0))                                                  \
            fxttrace_blob(type, name, bytes, size);                                                \
    } while (0)
#define TRACE_BLOB_EVENT(category, name, bytes, ...)                                               \
    FXTTRACE_IF_ON(                                                                                \
        fxttrace_site, const struct fxttrace_arg fxttrace_args[] = {FXTTRACE_PAIRS(__VA_ARGS__)};  \
        fxttrace_blob_event(&fxttrace_site, category, name, FXTTRACE_LITERALS(category, name),     \
                            bytes, FXTTRACE_FIRST(__VA_ARGS__), fxttrace_args,                     \
                            FXTTRACE_COUNT(__VA_ARGS__), 0))
#define TRACE_BLOB_ATTACHMENT(category, name, bytes, size)                                         \
    FXTTRACE_IF_ON(fxttrace_site, fxttrace_blob_event(&fxttrace_site, category, name,              \
                                                      FXTTRACE_LITERALS(category, name), bytes,    \
                                                      size, NULL, 0, 1))
#define TRACE_ALERT(category, name)                                                                \
    do {                                                                                           \
        if (__builtin_expect(TRACE_ENABLED(), 0))                                                  \
            fxttrace_alert(category, name);                                                        \
    } while (0)

#endif

/* The last parameter that each macro has to have is the first one of `...`: then `...` is never
 * empty, as ISO C demands. */
#define FXTTRACE_WITH(category, name, what, ...)                                                   \
    FXTTRACE_EVENT(category, name, what, FXTTRACE_FIRST(__VA_ARGS__), __VA_ARGS__)
/* scope */
#define TRACE_INSTANT(category, name, ...)                                                         \
    FXTTRACE_WITH(category, name, FXTTRACE_INSTANT, __VA_ARGS__)
/* id */
#define TRACE_COUNTER(category, name, ...)                                                         \
    FXTTRACE_WITH(category, name, FXTTRACE_COUNTER, __VA_ARGS__)
#define TRACE_DURATION_BEGIN(category, ...) /* name */                                             \
    FXTTRACE_EVENT(category, FXTTRACE_FIRST(__VA_ARGS__), FXTTRACE_BEGIN, 0, __VA_ARGS__)
#define TRACE_DURATION_END(category, ...) /* name */                                               \
    FXTTRACE_EVENT(category, FXTTRACE_FIRST(__VA_ARGS__), FXTTRACE_END, 0, __VA_ARGS__)
/* id: */
#define TRACE_ASYNC_BEGIN(category, name, ...)                                                     \
    FXTTRACE_WITH(category, name, FXTTRACE_ASYNC_BEGIN, __VA_ARGS__)
#define TRACE_ASYNC_INSTANT(category, name, ...)                                                   \
    FXTTRACE_WITH(category, name, FXTTRACE_ASYNC_INSTANT, __VA_ARGS__)
#define TRACE_ASYNC_END(category, name, ...)                                                       \
    FXTTRACE_WITH(category, name, FXTTRACE_ASYNC_END, __VA_ARGS__)
#define TRACE_FLOW_BEGIN(category, name, ...)                                                      \
    FXTTRACE_WITH(category, name, FXTTRACE_FLOW_BEGIN, __VA_ARGS__)
#define TRACE_FLOW_STEP(category, name, ...)                                                       \
    FXTTRACE_WITH(category, name, FXTTRACE_FLOW_STEP, __VA_ARGS__)
#define TRACE_FLOW_END(category, name, ...)                                                        \
    FXTTRACE_WITH(category, name, FXTTRACE_FLOW_END, __VA_ARGS__)

/* A point of a flow in a slice of its own. */
#define FXTTRACE_INSTAFLOW(category, flow, name, what, ...)                                        \
    do {                                                                                           \
        TRACE_DURATION(category, name);                                                            \
        FXTTRACE_WITH(category, flow, what, __VA_ARGS__);                                          \
    } while (0)
#define TRACE_INSTAFLOW_BEGIN(category, flow, name, ...)                                           \
    FXTTRACE_INSTAFLOW(category, flow, name, FXTTRACE_FLOW_BEGIN, __VA_ARGS__)
#define TRACE_INSTAFLOW_STEP(category, flow, name, ...)                                            \
    FXTTRACE_INSTAFLOW(category, flow, name, FXTTRACE_FLOW_STEP, __VA_ARGS__)
#define TRACE_INSTAFLOW_END(category, flow, name, ...)                                             \
    FXTTRACE_INSTAFLOW(category, flow, name, FXTTRACE_FLOW_END, __VA_ARGS__)

/* ticks: */
#define FXTTRACE_AT(category, name, what, extra, thread, id, ...)                                  \
    FXTTRACE_VIRTUAL(category, name, what, extra, thread, id, FXTTRACE_FIRST(__VA_ARGS__),         \
                     __VA_ARGS__)
#define TRACE_VTHREAD_DURATION_BEGIN(category, name, thread, thread_id, ...)                       \
    FXTTRACE_AT(category, name, FXTTRACE_BEGIN, 0, thread, thread_id, __VA_ARGS__)
#define TRACE_VTHREAD_DURATION_END(category, name, thread, thread_id, ...)                         \
    FXTTRACE_AT(category, name, FXTTRACE_END, 0, thread, thread_id, __VA_ARGS__)
#define TRACE_VTHREAD_FLOW_BEGIN(category, name, thread, thread_id, id, ...)                       \
    FXTTRACE_AT(category, name, FXTTRACE_FLOW_BEGIN, id, thread, thread_id, __VA_ARGS__)
#define TRACE_VTHREAD_FLOW_STEP(category, name, thread, thread_id, id, ...)                        \
    FXTTRACE_AT(category, name, FXTTRACE_FLOW_STEP, id, thread, thread_id, __VA_ARGS__)
#define TRACE_VTHREAD_FLOW_END(category, name, thread, thread_id, id, ...)                         \
    FXTTRACE_AT(category, name, FXTTRACE_FLOW_END, id, thread, thread_id, __VA_ARGS__)
#define TRACE_VTHREAD_COUNTER(category, name, thread, thread_id, id, ...)                          \
    FXTTRACE_AT(category, name, FXTTRACE_COUNTER, id, thread, thread_id, __VA_ARGS__)

#endif
