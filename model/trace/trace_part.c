/* trace_part.c - a trace that --cut wrote is shown in the range that it was cut at (rewrite.h).
 *
 * Slices and flows are whole in it, and CPUs and threads change once more at its end: the time
 * around the range means nothing for the rest. The range is the text of the first blob. A text that
 * is none, and a range that ends before the first event, mean nothing. The blob of a part without a
 * range, as --filter writes it, has no text. Each file of a set may be such a trace. */
#include "model/trace/trace_internal.h"
#include "src/import/rewrite.h"

#define DIGITS_MAX 38 /* so that 128 bits hold the number */

static bool number(const char **at, struct wide *n) {
    const char *from = *at;
    *n = (struct wide){0, 0};
    for (; **at >= '0' && **at <= '9'; ++*at) {
        struct wide low = wide_mul(n->lo, 10);
        *n = wide_add((struct wide){low.hi + n->hi * 10, low.lo}, **at - '0');
    }
    return *at > from && *at <= from + DIGITS_MAX;
}

static bool word(const char **at, struct str text) {
    bool is = strncmp(*at, text.s, text.n) == 0;
    *at += is ? text.n : 0;
    return is;
}

static bool closed_to(const char *text, bool *closed) {
    *closed = strcmp(text, REWRITE_PART_CLOSED) == 0;
    return *closed;
}

static bool range_of(const char *text, struct wide *from, struct wide *to, bool *closed) {
    return number(&text, from) && word(&text, STR(" to ")) && number(&text, to) &&
           word(&text, STR(" ns")) && (*text == '\0' || closed_to(text, closed)) &&
           wide_cmp(*from, *to) < 0;
}

/* shift: ns from the clock of the file to the common one. */
static void take_first(struct trace *trace, struct part *part, const struct blob *first,
                       uint64_t shift) {
    char text[REWRITE_PART_TEXT + 1];
    struct wide from, to, base = reader_base(trace->reader);
    uint32_t name = names_find(reader_names(trace->reader), REWRITE_PART.s, REWRITE_PART.n);
    part->sought = true;
    if (first->type != FXT_BLOB_DATA || first->name != name || first->bytes > REWRITE_PART_TEXT)
        return;
    part->rangeless = first->bytes == 0;
    text[blob_head(trace->reader, trace->file, first, text, REWRITE_PART_TEXT)] = '\0';
    part->known = range_of(text, &from, &to, &part->closed);
    if (part->known) {
        from = wide_plus(from, (struct wide){0, shift});
        to = wide_plus(to, (struct wide){0, shift});
        part->from_wide = from;
        part->from = wide_diff(from, base, INT64_MAX);
        part->to = wide_diff(to, base, INT64_MAX);
    }
}

void trace_part_find(struct trace *trace) {
    size_t n = blob_count(&trace->blobs);
    if (trace->judged.part.sought || trace->events == 0 || n == 0)
        return;
    if (trace->by_file.n == 0)
        take_first(trace, &trace->judged.part, blob_at(&trace->blobs, 0), 0);
    for (; trace->by_file.n > 0 && trace->part_blobs < n; trace->part_blobs++) {
        const struct blob *blob = blob_at(&trace->blobs, trace->part_blobs);
        struct part *part = &trace_judged_at(trace, blob->offset)->part;
        if (!part->sought)
            take_first(trace, part, blob,
                       trace->shifts.v[world_file_at(&trace->worlds, blob->offset)]);
    }
}
