/* event_key.h - how logs of async operations and flows keep who does what in 24 bytes an event: process or thread, category
 * and name together are a label, and an event's mark tells its record's place, its label and its kind.
 *
 * Marks are in the order of the records. Labels beyond those that fit are kept aside, by place. */
#ifndef FXTOP_EVENT_KEY_H
#define FXTOP_EVENT_KEY_H

#include "src/base/u64map.h"
#include "src/base/vec.h"
#include "src/fxt/event.h"
#include "src/fxt/index_table.h"

struct label {
    uint32_t who; /* place in the trace's processes, or number of the thread */
    uint32_t category, name;
};

struct labels {
    VEC(struct label) v;
    struct map numbers;
    struct aside far; /* by offset */
};

/* Of the record at `offset` (bytes, up to EVENT_WORDS words): its word [27..63], label [2..26], kind [0..1]. */
#define LABEL_FAR ((UINT32_C(1) << 25) - 1) /* this label and those above are aside */

uint32_t label_number(struct labels *labels, const struct label *label, uint32_t *guess);
uint64_t label_far(struct labels *labels, uint64_t offset, unsigned kind, uint32_t number);

static inline uint64_t label_mark(struct labels *labels, uint64_t offset, unsigned kind, const struct label *label) {
    uint32_t *guess = map_guess(&labels->numbers,
                                (uint64_t)label->who << 40 ^ (uint64_t)label->category << 20 ^ label->name),
             i = *guess - 1;
    const struct label *l = *guess ? &labels->v.v[i] : NULL;
    if (l == NULL || l->name != label->name || l->who != label->who || l->category != label->category)
        i = label_number(labels, label, guess);
    return i < LABEL_FAR ? offset >> 3 << 27 | (uint64_t)i << 2 | kind : label_far(labels, offset, kind, i);
}

void labels_free(struct labels *labels);
uint64_t labels_bytes(const struct labels *labels);

static inline uint64_t mark_offset(uint64_t mark) {
    return mark >> 27 << 3;
}

static inline unsigned mark_kind(uint64_t mark) {
    return mark & 3;
}

static inline const struct label *mark_label(const struct labels *labels, uint64_t mark) {
    uint64_t label = mark >> 2 & LABEL_FAR;
    return &labels->v.v[label < LABEL_FAR ? label : aside_get(&labels->far, mark_offset(mark))];
}

#endif
