/* detail.h - everything about one record, decoded again from its offset: category, name, arguments.
 *
 * The model keeps only offsets, so this reads the file (it may be mapped or spooled). Strings are
 * those of the trace: not safe to print as they are (text.h). */
#ifndef FXTOP_DETAIL_H
#define FXTOP_DETAIL_H

#include "model/trace/trace.h"

struct detail_memo;

struct detail {
    struct trace *trace;
    struct detail_memo *memo; /* or NULL */
    struct fxt_record record;
    struct provider *provider;
    uint64_t offset;
    /* last until the next file access or detail_open() with the same struct */
    struct str category, name;
    char category_buf[24], name_buf[24];
};

bool detail_open(struct detail *detail, struct trace *trace, uint64_t offset);

/* A memo has the meaning of references at the latest records that were opened with it. Opening all
 * records of a trace, about in file order, is three times as fast with it. It is valid until the
 * next trace_step(), for one thread at a time; each thread that opens records needs its own, after
 * trace_share(). */
struct detail_memo *detail_memo_new(void);
void detail_memo_free(struct detail_memo *memo);
/* detail_open() with a memo, which may be NULL. */
bool detail_open_by(struct detail *detail, struct trace *trace, uint64_t offset,
                    struct detail_memo *memo);

/* trace_slice_name() of a slice whose record is the open one; known: it could be opened. Asks for
 * nothing else, so two threads may call it. */
struct str detail_slice_name(const struct detail *detail, bool known, const struct slice *slice);
uint32_t detail_thread(const struct detail *detail); /* trace_thread_at() its offset */

struct detail_argument {
    uint8_t type; /* enum fxt_argument, or an unknown one */
    struct str name;
    struct str string; /* FXT_ARG_STRING; FXT_ARG_BLOB: its bytes */
    uint64_t bits;     /* the number; int32 sign-extended */
    struct str object; /* of koids and pointers: the name of the object; n = 0: not known */
    /* its place among the kernel objects, or the userspace objects; UINT32_MAX: not known */
    uint32_t object_place;
    uint16_t world; /* that a koid, a process or a thread is of (src/fxt/threads.h) */
    char name_buf[24], string_buf[24];
};

/* The next argument; start with args = detail->record.args. False at the end, or if the rest is
 * malformed. */
bool detail_argument(struct detail *detail, struct fxt_arguments *args,
                     struct detail_argument *argument);

/* The first argument of that name; false: none. */
bool detail_find(struct detail *detail, const char *name, struct detail_argument *argument);

/* Finds the letters of a blocked state, or of any in JSON, if not S: the argument "state" of its
 * record, such as D. */
bool detail_letters(struct detail *detail, bool blocked, struct detail_argument *argument);

/* Finds the labels of a process, which distinguish it from others of its name: the argument
 * "labels" of its latest kernel object that has one (Chrome's process_labels). False: it has
 * none. */
bool detail_labels(struct detail *detail, struct trace *trace, const struct process *process,
                   struct detail_argument *argument);

/* The priority ("priority") or the weight ("weight") of a context switch's outgoing or incoming
 * thread, and its name; NULL: the record has none. */
const char *detail_priority(struct detail *detail, bool outgoing, struct detail_argument *argument);

/* The size of a loss: a numeric argument, "num_records" or "num_bytes", of the record or of its
 * end; false: none. */
bool detail_loss(struct trace *trace, const struct lost *lost, const char *name,
                 struct detail_argument *argument);

/* The value as text: numbers exact, 0x for pointers, "null", "true"; strings as they are (not safe
 * to print). */
struct str detail_value(const struct detail_argument *argument, char buf[64]);

#endif
