/* threads.h - interned thread ids: (process id, thread id) -> dense number. */
#ifndef FXTOP_THREADS_H
#define FXTOP_THREADS_H

#include <stdint.h>

struct cache;

#define NO_THREAD UINT32_MAX

struct thread_id {
    uint64_t pid, tid;
    uint8_t index;     /* of an undefined thread of `provider` */
    uint8_t form;      /* enum thread_form */
    uint32_t provider; /* number of the provider, undefined ones */
    uint64_t offset;   /* of the first record that names it */
};

enum thread_form {
    THREAD_PAIR,      /* process and thread known */
    THREAD_TID,       /* only the thread's koid (scheduling subtypes 1 and 2, profiler, kernel objects) */
    THREAD_UNDEFINED, /* <thread 9> of a provider */
};

struct threads;
struct threads *threads_new(void);
void threads_free(struct threads *threads);
void threads_persist(struct threads *threads, struct cache *cache);
uint32_t threads_intern(struct threads *threads, const struct thread_id *id);
/* The same of a form that is told by its ids, THREAD_PAIR or THREAD_TID (pid 0); by a guess, too. */
uint32_t threads_intern_ids(struct threads *threads, enum thread_form form, uint64_t pid, uint64_t tid, uint64_t offset);
uint32_t threads_find(const struct threads *threads, const struct thread_id *id); /* NO_THREAD: not there */
uint32_t threads_count(const struct threads *threads);
const struct thread_id *threads_id(const struct threads *threads, uint32_t number);

#endif
