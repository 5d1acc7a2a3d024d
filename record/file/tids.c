/* tids.c - the threads of providers: those that are registered, that have a name, or that events
 * name themselves. */
#include "record/file/tids.h"

#include "src/fxt/record.h"

#define MOST (UINT64_C(1) << 20) /* a provider may name any number of threads */

static void add(struct tids *t, uint32_t provider, uint64_t tid) {
    uint64_t key = u64map_key((uint64_t)provider << 32 ^ tid);
    if (t->n >= MOST || u64map_get(&t->seen, key) != UINT64_MAX)
        return;
    u64map_set(&t->seen, key, 1);
    t->n++;
}

/* The word of a record that is the number of a thread; 0: it names none, or a registered one. */
static size_t place_of(uint64_t header) {
    switch (FXT_BITS(header, 0, 3)) {
    case FXT_THREAD:
        return 2;
    case FXT_KERNEL_OBJECT:
        return FXT_BITS(header, 16, 23) == FXT_OBJECT_THREAD ? 1 : 0;
    case FXT_EVENT:
        return FXT_BITS(header, 24, 31) == 0 ? 3 : 0;
    case FXT_LOG:
        return FXT_BITS(header, 32, 39) == 0 ? 3 : 0;
    default:
        return 0;
    }
}

void tids_count(struct tids *t, uint32_t provider, const uint64_t *records, size_t words) {
    for (size_t at = 0, size;
         at < words && (size = (size_t)record_words(records[at])) > 0 && size <= words - at;
         at += size) {
        size_t place = place_of(records[at]);
        if (place > 0 && place < size)
            add(t, provider, records[at + place]);
    }
}
