/* threads.h - interned thread ids: (process id, thread id) -> dense number.
 *
 * Ids mean something in a world, that of one host: the same ids in two worlds are two threads.
 * Numbers count from 0 in the order of the file. Threads are never removed. */
#ifndef FXTOP_THREADS_H
#define FXTOP_THREADS_H

#include <stdint.h>

struct cache;

#define NO_THREAD UINT32_MAX

struct thread_id {
    uint64_t pid, tid;
    uint8_t index; /* of a THREAD_UNDEFINED: its index in the table of `provider` */
    uint8_t form;  /* enum thread_form */
    uint16_t world;
    uint32_t provider; /* of a THREAD_UNDEFINED: the provider's number */
    uint64_t offset;   /* of the first record that refers to it, in bytes */
};

enum thread_form {
    THREAD_PAIR, /* process id and thread id */
    /* the thread's koid alone (scheduling subtypes 1 and 2, profiler, kernel objects) */
    THREAD_TID,
    THREAD_UNDEFINED, /* an index that was never registered: "<thread 9>" of a provider */
};

struct threads;
struct threads *threads_new(void);
void threads_free(struct threads *threads);
void threads_persist(struct threads *threads, struct cache *cache);
uint32_t threads_intern(struct threads *threads, const struct thread_id *id);
/* Does the same for THREAD_PAIR or THREAD_TID (pid 0), usually without a hash (map_guess()). */
uint32_t threads_intern_ids(struct threads *threads, uint16_t world, enum thread_form form,
                            uint64_t pid, uint64_t tid, uint64_t offset);
/* NO_THREAD: not interned */
uint32_t threads_find(const struct threads *threads, const struct thread_id *id);
uint32_t threads_count(const struct threads *threads);
const struct thread_id *threads_id(const struct threads *threads, uint32_t number);

#endif
