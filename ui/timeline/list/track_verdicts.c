/* track_verdicts.c - which tracks a filter holds for: a byte per track of each kind.
 *
 * Another version of the trace forgets them, because names and events may have changed. */
#include "ui/timeline/list/track_verdicts.h"

void track_verdicts_free(struct track_verdicts *verdicts) {
    for (size_t i = 0; i < verdicts->kinds.n; i++)
        vec_free(&verdicts->kinds.v[i].v);
    vec_free(&verdicts->kinds);
}

static void forget(struct track_verdicts *verdicts, uint64_t version) {
    for (size_t i = 0; i < verdicts->kinds.n; i++)
        verdicts->kinds.v[i].v.n = 0;
    verdicts->version = version;
    verdicts->kind = 0;
    verdicts->next = verdicts->hits = verdicts->of = 0;
}

void track_verdicts_begin(struct track_verdicts *verdicts, uint64_t version) {
    forget(verdicts, version);
    verdicts->pending = true;
}

uint8_t *track_verdicts_at(struct track_verdicts *verdicts, uint64_t version, size_t kind,
                           uint32_t of) {
    if (verdicts->version != version)
        forget(verdicts, version);
    while (verdicts->kinds.n <= kind)
        vec_push(&verdicts->kinds, (struct track_verdict_kind){0});
    struct track_verdict_kind *k = &verdicts->kinds.v[kind];
    while (k->v.n <= of)
        vec_push(&k->v, VERDICT_UNKNOWN);
    return &k->v.v[of];
}
