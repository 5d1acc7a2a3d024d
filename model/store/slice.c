/* slice.c - end records of slices: in the slice if they fit, else in the side table. */
#include "model/store/slice.h"

uint64_t slice_extra_end_offset(const struct slice_extra *extra, const struct slice *s) {
    if (slice_end_in_side_table(s))
        return extra->get(extra->ctx, slice_offset(s) + SLICE_EXTRA_END);
    uint64_t words = slice_end_words(s);
    return words == 0 ? 0 : slice_offset(s) + words * 8;
}

void slice_extra_close_rare(const struct slice_extra *extra, struct slice *s, int64_t time,
                            uint64_t offset, unsigned flags) {
    *s = slice_make(s->start, time - s->start, s->begin_word, offset, slice_flags(s) | flags);
    if (slice_end_in_side_table(s))
        extra->set(extra->ctx, slice_offset(s) + SLICE_EXTRA_END, offset);
}
