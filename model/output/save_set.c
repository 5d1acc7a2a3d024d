/* save_set.c - makes the table of an archive from a set, and has its parts written.
 *
 * All times are moved to the common clock, so any reader of FXT shows them side by side. Ids of the
 * second world on get its number in bits 48 to 62, which are 0 in those of processes and threads.
 * So the ids of two hosts differ. */
#include "model/output/save_set.h"

#include <string.h>

#include "src/import/redact.h"

static char *name_of(const struct trace *trace, size_t file, bool hidden) {
    char number[24];
    const char *name = trace_file_name(trace, file);
    snprintf(number, sizeof number, "trace %zu", file + 1);
    name = hidden ? number : name;
    size_t n = strlen(name);
    return err_copy(name, n < ARCHIVE_NAME ? n : ARCHIVE_NAME);
}

/* The Unix time of 0 of the common clock; a file's own clock has another 0, by its shift. */
static void take_wall(struct archive_part *part, const struct align_part *aligned, uint64_t shift) {
    part->has_wall = aligned->has_wall && shift <= INT64_MAX &&
                     !__builtin_sub_overflow(aligned->unix_ns, (int64_t)shift, &part->unix_ns);
}

static void fill_part(const struct trace *trace, size_t i, bool hidden, uint64_t shift,
                      struct archive_part *part) {
    const struct align_part *aligned = trace_aligned(trace, i);
    part->name = name_of(trace, i, hidden);
    part->world = trace_file_world(trace, i);
    part->ids = (uint64_t)part->world << 48;
    part->zero = reader_archived(trace_reader(trace), i).zero + shift;
    part->offset = trace_offset(trace, i);
    part->method = aligned->method;
    take_wall(part, aligned, shift);
}

bool save_set_chosen(struct trace *trace, const struct rewrite_choice *choice, FILE *out,
                     struct err *err) {
    struct archive *table = err_calloc(1, sizeof *table);
    unsigned redact = choice->redact;
    uint64_t shifts[ARCHIVE_MOST];
    table->n = trace_files(trace);
    table->reference = trace_reference(trace);
    const char *category = trace_joins(trace, &table->joins_all);
    if (category && redact & REDACT_NAMES)
        table->joins_all = false; /* it is a name, too */
    else if (category)
        table->joins_category = err_copy(category, strlen(category));
    for (size_t i = 0; i < table->n; i++) {
        shifts[i] = trace_shift(trace, i);
        fill_part(trace, i, redact & REDACT_NAMES, shifts[i], &table->parts[i]);
    }
    bool done =
        rewrite_archive(trace_reader(trace), trace_file(trace), table, shifts, choice, out, err);
    archive_free(table);
    return done;
}

bool save_set(struct trace *trace, unsigned redact, FILE *out, struct err *err) {
    const struct rewrite_choice choice = {.redact = redact,
                                          .providers = reader_wanted(trace_reader(trace))};
    return save_set_chosen(trace, &choice, out, err);
}
