/* reader_resync.c - finds where reading starts, where it goes on after damage, and where it ends.
 *
 * The format has no marks to find a record by (fxt(5), READING ON AFTER DAMAGE). A place is
 * believed if CHAIN plausible records start there, or fewer that end exactly at the last whole word
 * of the file. If more of the file may come and the records in memory do not decide, reading
 * waits. */
#include "src/fxt/reader_internal.h"

#define CHAIN 3 /* records in a row that make a resynchronisation believable */

enum chain reader_chain_at(struct reader *r, uint64_t at) {
    const struct reader_part *part = reader_part_at(r, at);
    struct file_part bounds = reader_bounds(r, part);
    uint64_t end = bounds.end - bounds.end % 8;
    bool ended = bounds.ended;
    for (int i = 0; i < CHAIN; i++) {
        size_t n;
        bool more = false;
        if (at == end && !ended)
            return CHAIN_UNKNOWN;
        if (at == end)
            return i > 0 ? CHAIN_YES : CHAIN_NO;
        const uint64_t *words = file_span(r->file, at, WHOLE_RECORD, &n);
        if (words == NULL)
            return CHAIN_NO;
        uint64_t size = record_plausible(words, n / 8, part->swap, &more);
        if (size == 0)
            return more && !ended ? CHAIN_UNKNOWN : CHAIN_NO;
        if (size > (end - at) / 8)
            return ended ? CHAIN_NO : CHAIN_UNKNOWN;
        at += size * 8;
    }
    return CHAIN_YES;
}

void reader_zeros_end(struct reader *r) {
    if (r->part->zeros != NO_RUN)
        reader_problem(r, PROBLEM_ZERO_WORDS, r->part->zeros, (r->part->at - r->part->zeros) / 8);
    r->part->zeros = NO_RUN;
}

/* No trace begins at the begin of a part. It is a file of its own and alien; or an archive is cut,
 * or its table lies: the other parts of it are read all the same (SEMANTICS 13.7). */
static enum reader_state no_begin(struct reader *r, bool empty) {
    if (r->part->archived.name.s == NULL)
        return READER_ALIEN;
    if (empty)
        return reader_rest(r);
    reader_problem(r, PROBLEM_NO_MAGIC, r->part->begin, 0);
    reader_damaged(r, false);
    return READER_MORE;
}

/* The first word decides the byte order (SEMANTICS 3.2). Without the magic word a chain must start
 * at the first or second word (SEMANTICS 3.1). */
enum reader_state reader_start(struct reader *r) {
    size_t n;
    uint64_t begin = r->part->begin;
    const uint64_t *words = file_span(r->file, begin, 8, &n);
    if (words == NULL || n < 8)
        return reader_bounds(r, r->part).ended ? no_begin(r, true) : READER_WAIT;
    uint64_t first = record_word(words, false);
    r->part->phase = PHASE_RECORDS;
    if (first == FXT_MAGIC)
        return READER_MORE;
    if (record_swap(first) == FXT_MAGIC) {
        r->part->swap = true;
        if (r->have_base)
            reader_part_base(r);
        return READER_MORE;
    }
    for (uint64_t at = begin; at <= begin + 8; at += 8) {
        switch (reader_chain_at(r, at)) {
        case CHAIN_UNKNOWN:
            r->part->phase = PHASE_START;
            return READER_WAIT;
        case CHAIN_YES:
            reader_problem(r, PROBLEM_NO_MAGIC, begin, 0);
            /* zeros are reported as elsewhere */
            r->part->at = record_words(first) == 1 || first == 0 ? begin : at;
            return READER_MORE;
        case CHAIN_NO:
            break;
        }
    }
    return no_begin(r, false);
}

enum reader_state reader_rest(struct reader *r) {
    struct file_part bounds = reader_bounds(r, r->part);
    uint64_t size = bounds.end, rest = size % 8; /* parts begin at whole words */
    if (!bounds.ended)
        return READER_WAIT;
    if (r->part->phase == PHASE_END)
        return READER_END;
    uint64_t had = r->part->archived.bytes, has = size - bounds.begin;
    r->part->ended_whole = r->part->phase == PHASE_RECORDS && r->part->zeros == NO_RUN &&
                           r->part->at == size && has >= had;
    reader_zeros_end(r);
    if (rest != 0 && r->part->at == size - rest)
        reader_problem(r, PROBLEM_TRAILING_BYTES, r->part->at, rest);
    if (has < had)
        reader_problem(r, PROBLEM_ARCHIVE_CUT, size, had - has);
    r->part->at = size;
    r->part->phase = PHASE_END;
    return READER_END;
}

void reader_damaged(struct reader *r, bool zero_size) {
    reader_zeros_end(r);
    r->part->damage = r->part->at;
    r->part->damage_is_zero_size = zero_size;
    r->part->at += 8;
    r->part->phase = PHASE_RESYNC;
    if (zero_size)
        reader_problem(r, PROBLEM_ZERO_SIZE, r->part->damage, 0);
}

#define REST_WORDS 4095u /* a record that zeros cut is not longer, but for large ones */

enum chain reader_after_zeros(struct reader *r, uint64_t at, uint64_t size, uint64_t *resume) {
    uint64_t end = at + (size < REST_WORDS ? size : REST_WORDS) * 8;
    enum chain c = reader_chain_at(r, at);
    *resume = at;
    for (uint64_t i = at + 8; c == CHAIN_NO && i < end; i += 8) {
        c = reader_chain_at(r, i);
        if (c == CHAIN_YES)
            *resume = i;
    }
    return c == CHAIN_NO ? CHAIN_YES : c;
}

enum reader_state reader_resync(struct reader *r, uint64_t until) {
    struct file_part bounds = reader_bounds(r, r->part);
    uint64_t size = bounds.end, end = size / 8 * 8;
    for (; r->part->at < end; r->part->at += 8) {
        if (r->part->at >= until)
            return READER_MORE;
        uint64_t data =
            r->part->at % HOLE_LOOK == 0 ? file_data(r->file, r->part->at) : r->part->at;
        if (data > r->part->at) { /* no record begins in zeros */
            r->part->at = data - 8;
            continue;
        }
        enum chain c = reader_chain_at(r, r->part->at);
        if (c == CHAIN_UNKNOWN)
            return READER_WAIT;
        if (c == CHAIN_YES) {
            if (!r->part->damage_is_zero_size)
                reader_problem(r, PROBLEM_TRUNCATED_RECORD, r->part->damage,
                               size - r->part->damage);
            r->part->phase = PHASE_RECORDS;
            return READER_MORE;
        }
    }
    if (!bounds.ended)
        return READER_WAIT;
    if (!r->part->damage_is_zero_size) {
        reader_problem(r, PROBLEM_TRUNCATED_RECORD, r->part->damage, size - r->part->damage);
        r->part->at = size;
    }
    return reader_rest(r);
}
