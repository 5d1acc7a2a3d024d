/* functions.c - the library of `fxtop record --functions`: the calls of a program that is built
 * with -finstrument-functions become slices of the category `function`.
 *
 * The compiler puts a call of the two functions below into each function, at its begin and at its
 * end. A thread has a stack of its own of what it is in, since longjmp() leaves functions without
 * their end. Names come from the symbol tables of the files that are loaded, once a function. */
#include <dlfcn.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "provider/lib/trace/event.h"
#include "provider/preload/own_symbols.h"
#include "provider/preload/since.h"

#define CATEGORY "function"
#define DEEP 4096    /* calls of a thread that are known at once; deeper ones leave nothing */
#define SLOTS 32768u /* of functions by address; a power of two */
#define PATTERN_MAX 256

struct function {
    const void *address;
    const char *name; /* NULL: its calls are left out */
    struct fxttrace_site site;
};

struct call {
    struct function *function;
    uintptr_t frame; /* the place on the stack of the program */
    struct since since;
};

struct stack {
    uint32_t depth; /* may be beyond DEEP */
    bool inside;    /* a name is looked up: what that calls is not recorded */
    struct call calls[DEEP];
};

static struct function *functions[SLOTS];
static unsigned known; /* of them, under the lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t stack_key;
static __thread struct stack *own_stack __attribute__((tls_model("initial-exec")));
/* from the environment */
static uint64_t least_ns;
static uint32_t depth_most = DEEP;
static const char *patterns = "*"; /* separated by commas */

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

/* ---- functions ---- */

static bool is_wanted(const char *name) {
    char one[PATTERN_MAX];
    for (const char *at = patterns; *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        if (n > 0 && n < sizeof one) {
            memcpy(one, at, n);
            one[n] = '\0';
            if (fnmatch(one, name, 0) == 0)
                return true;
        }
        at += n;
    }
    return false;
}

static unsigned slot_of(const void *address) {
    return (unsigned)((uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 49) &
           (SLOTS - 1);
}

/* NULL: there is no memory, or no place, for another one. */
static struct function *add(const void *address, unsigned slot) {
    struct function *f = known < SLOTS / 2 ? calloc(1, sizeof *f) : NULL;
    if (f == NULL)
        return NULL;
    f->address = address;
    f->name = own_symbols_name(address);
    if (!is_wanted(f->name))
        f->name = NULL;
    known++;
    __atomic_store_n(&functions[slot], f, __ATOMIC_RELEASE);
    return f;
}

static struct function *find(const void *address, unsigned *slot) {
    struct function *f;
    for (*slot = slot_of(address);; *slot = (*slot + 1) & (SLOTS - 1)) {
        f = __atomic_load_n(&functions[*slot], __ATOMIC_ACQUIRE);
        if (f == NULL || f->address == address)
            return f;
    }
}

static struct function *function_at(const void *address) {
    unsigned slot;
    struct function *f = find(address, &slot);
    if (f == NULL) {
        pthread_mutex_lock(&lock);
        f = find(address, &slot);
        if (f == NULL)
            f = add(address, slot);
        pthread_mutex_unlock(&lock);
    }
    return f;
}

/* ---- calls ---- */

static void write_call(struct function *f, uint32_t what, uint64_t extra) {
    fxttrace_write(&f->site, CATEGORY, f->name,
                   what | FXTTRACE_LITERAL_CATEGORY | FXTTRACE_LITERAL_NAME, extra, NULL, 0);
}

/* Leaves the innermost call. Without a limit its begin is written already. */
static void leave(struct stack *stack) {
    uint64_t begin;
    if (--stack->depth >= DEEP)
        return;
    struct call *call = &stack->calls[stack->depth];
    struct function *f = call->function;
    if (f == NULL || call->since.generation == 0)
        return;
    if (least_ns == 0)
        write_call(f, FXTTRACE_END, 0);
    else if (since_begin(call->since, least_ns, CATEGORY, &begin))
        write_call(f, FXTTRACE_COMPLETE, begin);
}

/* bytes: a frame farther away is on another stack, as of a coroutine */
#define JUMP_MOST (UINT64_C(1) << 20)

/* Calls that longjmp() has left are not above this one on the stack of the program. One whose frame
 * is smaller than this one's is seen as left by the next call alone. */
static inline void leave_jumped(struct stack *stack, uintptr_t frame) {
    while (stack->depth > 0 && stack->depth <= DEEP) {
        uintptr_t above = stack->calls[stack->depth - 1].frame;
        if (above > frame || frame - above > JUMP_MOST)
            return;
        leave(stack);
    }
}

/* The stack of this thread; NULL: there is none, or the library itself is at work on it. */
static inline struct stack *enter_stack(void) {
    struct stack *stack = own_stack;
    if (stack == NULL && __atomic_load_n(&fxttrace_generation, __ATOMIC_RELAXED) != 0) {
        stack = own_stack = calloc(1, sizeof *stack);
        pthread_setspecific(stack_key, stack);
    }
    return stack == NULL || stack->inside ? NULL : stack;
}

__attribute__((visibility("default"))) void __cyg_profile_func_enter(
    void *address, __attribute__((unused)) void *caller) {
    struct stack *stack = enter_stack();
    if (stack == NULL)
        return;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    stack->inside = true;
    leave_jumped(stack, frame);
    if (stack->depth < DEEP) {
        struct call *call = &stack->calls[stack->depth];
        call->since = (struct since){0, 0};
        call->frame = frame;
        call->function = function_at(address);
        bool wanted = call->function && call->function->name && stack->depth < depth_most;
        if (wanted && least_ns == 0) {
            call->since.generation = 1;
            write_call(call->function, FXTTRACE_BEGIN, 0);
        } else if (wanted && least_ns > 0) {
            call->since = since_now();
        }
    }
    stack->depth++;
    stack->inside = false;
}

/* Functions that longjmp() has left are above it. */
__attribute__((visibility("default"))) void __cyg_profile_func_exit(
    void *address, __attribute__((unused)) void *caller) {
    struct stack *stack = enter_stack();
    if (stack == NULL || stack->depth == 0)
        return;
    stack->inside = true;
    uint32_t depth = stack->depth < DEEP ? stack->depth : DEEP;
    while (
        depth > 0 && stack->depth <= DEEP &&
        !(stack->calls[depth - 1].function && stack->calls[depth - 1].function->address == address))
        depth--;
    while (depth > 0 && stack->depth > depth)
        leave(stack);
    if (stack->depth > 0 && (depth > 0 || stack->depth > DEEP))
        leave(stack);
    stack->inside = false;
}

static void free_stack(void *stack) {
    own_stack = NULL;
    free(stack);
}

static uint64_t number(const char *name, uint64_t otherwise) {
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 10) : otherwise;
}

__attribute__((constructor(102))) static void functions_begin(void) {
    const char *pattern = getenv("FXTTRACE_FUNCTIONS");
    if (pattern && *pattern)
        patterns = pattern;
    least_ns = number("FXTTRACE_FUNCTIONS_LEAST", 0);
    depth_most = (uint32_t)number("FXTTRACE_FUNCTIONS_DEPTH", DEEP);
    pthread_key_create(&stack_key, free_stack);
}
