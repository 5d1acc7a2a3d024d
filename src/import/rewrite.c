/* rewrite.c - reads records and writes each again.
 *
 * Strings and threads are registered again, so that indexes of other tables, undefined ones and
 * those that changed their meaning do not matter. Each provider keeps its id, unless an earlier one
 * of another name has it.
 *
 * To redact names, all is read twice: a text may quote a name that comes later. The second pass
 * writes to a file without a name. If the bytes of the trace are no longer those of before, nothing
 * else is written. */
#include "src/import/rewrite_internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "src/base/hash.h"
#include "src/import/profiles/absent_names.h"
#include "src/io/temporary.h"

#define ARGUMENTS 15
#define NS_A_SECOND 1000000000
#define OUT_RUNNABLE 1               /* the state in which the idle thread leaves a CPU */
#define LOST_PID (UINT64_C(1) << 63) /* process of threads whose index was never registered */
#define REGISTERED_MAX 1024          /* bytes of a string that is registered */
#define DIGEST_STEP (1u << 16)       /* bytes of a file */

/* Texts of one record that are made up, such as "<string 17>" and pseudonyms. */
struct texts {
    char v[2 * ARGUMENTS + 4][REDACT_TEXT];
    size_t n;
};

static struct writer_string named(struct rewrite_target *t, struct str text) {
    if (text.n > WRITER_STRING_MAX)
        text.n = WRITER_STRING_MAX;
    return text.n > REGISTERED_MAX ? writer_inline(text) : writer_intern(&t->w, text);
}

static struct writer_string string_as(struct rewrite_target *t, enum redact_role role,
                                      const struct fxt_string *s, struct texts *texts) {
    char *buf = texts->v[texts->n++];
    return named(t, redact_text(t->redact, role, reader_string_now(t->reader, s, buf), buf));
}

static struct writer_string string(struct rewrite_target *t, const struct fxt_string *s,
                                   struct texts *texts) {
    return string_as(t, REDACT_NAME, s, texts);
}

/* ---- providers and threads ---- */

/* The id itself, or the next one that no other provider has. */
static uint32_t id_for(struct rewrite_target *t, uint32_t id) {
    struct u64map *ids = t->moved.reader ? t->moved.taken : &t->ids;
    while (u64map_get(ids, id) != UINT64_MAX)
        id++;
    u64map_set(ids, id, 0);
    return id;
}

static void tell_clock(struct rewrite_target *t, const struct provider *p,
                       const struct fxt_record *init) {
    struct rewrite_provider *now = &t->providers.v[t->current];
    uint64_t tps = rewrite_moved_rate(&t->moved, p->clock.tps);
    if (now->tps == tps && !(init && init->init.has_base))
        return;
    now->tps = tps;
    t->w.ends_by_name = reader_ends_by_name(t->reader, t->begin);
    if (init && init->init.has_base)
        writer_init_base(&t->w, tps,
                         rewrite_moved_time(&t->moved, p->clock.tps, init->init.base_tick),
                         init->init.base_unix_ns);
    else
        writer_init_record(&t->w, tps);
}

/* Makes a provider the current one. */
static void turn_to(struct rewrite_target *t, const struct provider *p) {
    if (t->providers.n > 0 && t->number == p->number)
        return;
    t->number = p->number;
    uint64_t place = u64map_get(&t->places, p->number);
    if (place != UINT64_MAX) {
        t->current = place;
        writer_provider_section(&t->w, t->providers.v[place].id);
        return;
    }
    bool declared = !p->implicit || t->moved.reader;
    struct rewrite_provider now = {declared ? id_for(t, p->id) : 0, 0};
    t->current = t->providers.n;
    u64map_set(&t->places, p->number, t->current);
    vec_push(&t->providers, now);
    char buf[REDACT_TEXT], full[REWRITE_PROVIDER_NAME + 1];
    struct str name = redact_text(t->redact, REDACT_NAME, p->name, buf);
    if (t->moved.reader)
        name = rewrite_moved_name(&t->moved, p, name, full);
    if (declared)
        writer_provider_info(
            &t->w, now.id,
            (struct str){name.s, name.n < REWRITE_PROVIDER_NAME ? name.n : REWRITE_PROVIDER_NAME});
}

static struct writer_thread thread_of(struct rewrite_target *t, const struct thread_id *id) {
    if (id->form == THREAD_UNDEFINED)
        return writer_intern_thread(
            &t->w, rewrite_moved_id(&t->moved, LOST_PID),
            rewrite_moved_id(&t->moved, (uint64_t)id->provider << 8 | id->index));
    return writer_intern_thread(&t->w, rewrite_moved_id(&t->moved, id->pid),
                                rewrite_moved_id(&t->moved, id->tid));
}

static struct writer_thread thread(struct rewrite_target *t, uint32_t number) {
    return number == NO_THREAD ? writer_inline_thread(0, 0)
                               : thread_of(t, threads_id(reader_threads(t->reader), number));
}

/* ---- arguments ---- */

/* Whether an argument is the weight of a switch's thread that is left out. */
static bool is_left_out(struct rewrite_target *t, const struct fxt_string *name) {
    char buf[24];
    if ((t->sides & REWRITE_WHOLE) == REWRITE_WHOLE)
        return false;
    struct str text = reader_string_now(t->reader, name, buf);
    return (!(t->sides & REWRITE_OUT) && str_eq(text, STR("outgoing_weight"))) ||
           (!(t->sides & REWRITE_IN) && str_eq(text, STR("incoming_weight")));
}

static enum redact_role role_of(const struct fxt_record *r) {
    bool scheduling =
        r->kind == FXT_K_SWITCH_LEGACY || r->kind == FXT_K_SWITCH || r->kind == FXT_K_WAKEUP;
    return scheduling ? REDACT_SCHEDULING : REDACT_ARGUMENT;
}

static enum redact_role role_of_value(struct rewrite_target *t, const struct fxt_record *r,
                                      const struct fxt_string *name) {
    char buf[24];
    bool state = role_of(r) == REDACT_SCHEDULING &&
                 str_eq(reader_string_now(t->reader, name, buf), STR("state"));
    return state ? REDACT_STATE : REDACT_VALUE;
}

/* Without those of sides of a switch that are left out. */
static struct writer_arguments arguments(struct rewrite_target *t, const struct fxt_record *r,
                                         struct texts *texts,
                                         struct writer_argument v[ARGUMENTS + 2]) {
    struct fxt_arguments args = r->args;
    struct fxt_argument_value a;
    size_t n = 0;
    while (n < ARGUMENTS && record_argument(&args, &a) == 1) {
        bool known = fxt_argument_name(a.type) != NULL;
        if (is_left_out(t, &a.name))
            continue;
        v[n] = (struct writer_argument){.type = known ? a.type : FXT_ARG_NULL,
                                        .name = string_as(t, role_of(r), &a.name, texts),
                                        .bits = a.type == FXT_ARG_INT32 ? (uint32_t)a.bits : a.bits,
                                        .blob = redact_bytes(t->redact, a.blob)};
        if (a.type == FXT_ARG_KOID)
            v[n].bits = rewrite_moved_id(&t->moved, a.bits);
        if (a.type == FXT_ARG_STRING)
            v[n].string = string_as(t, role_of_value(t, r, &a.name), &a.string, texts);
        n++;
    }
    return (struct writer_arguments){v, n};
}

/* ---- records ---- */

/* Whether the importer of the source names a record as damaged; records come in file order. */
static bool is_fault(struct rewrite_target *t, uint64_t offset) {
    struct import_case found = {0};
    offset -= t->begin;
    while (t->faults < file_import_faults(t->source, IMPORT_DAMAGED, t->faults, &found) &&
           found.at.words < offset)
        t->faults++;
    return t->faults < file_import_faults(t->source, IMPORT_DAMAGED, t->faults, &found) &&
           found.at.words == offset;
}

/* A mark goes right before the record whose time is damaged. */
static void mark(struct rewrite_target *t, const struct item *item) {
    bool damaged = t->marked == item->offset || is_fault(t, item->offset) ||
                   (t->choice->damaged && t->choice->damaged(t->choice->ctx, item->offset));
    if (damaged)
        writer_blob(&t->w, writer_intern(&t->w, FXT_DAMAGED), FXT_BLOB_DATA, STR(""));
}

/* Also in place of the ends of slices that another's end ended: those are inside of it. */
static void end(struct rewrite_target *t, const struct item *item, const struct writer_event *e) {
    struct writer_event bare = {
        .ts = e->ts, .thread = e->thread, .category = e->category, .name = writer_index(0)};
    for (unsigned n = t->sides / REWRITE_BARE; n > 0; n--) {
        mark(t, item);
        writer_end(&t->w, &bare);
    }
    if ((t->sides & REWRITE_WHOLE) == 0)
        return;
    mark(t, item);
    writer_end(&t->w, e);
}

/* The end of a complete event as it is written. */
static uint64_t end_of(const struct rewrite_target *t, const struct item *item,
                       const struct writer_event *e) {
    const struct fxt_record *r = item->record;
    if (r->faults & FXT_FAULT_NO_TAIL)
        return e->ts;
    return record_unended(r) ? r->end
                             : rewrite_moved_time(&t->moved, item->provider->clock.tps, r->end);
}

static void event(struct rewrite_target *t, const struct item *item, struct writer_event *e) {
    const struct fxt_record *r = item->record;
    bool whole = !(r->faults & FXT_FAULT_NO_TAIL);
    if (r->kind != FXT_K_DURATION_END)
        mark(t, item);
    switch (r->kind) {
    case FXT_K_INSTANT:
        if (whole && r->scope.present)
            writer_instant_scope(&t->w, e, r->scope.value);
        else
            writer_instant(&t->w, e);
        break;
    case FXT_K_COUNTER:
        writer_counter(&t->w, e, whole ? r->id : 0);
        break;
    case FXT_K_DURATION_BEGIN:
        writer_begin(&t->w, e);
        break;
    case FXT_K_DURATION_END:
        end(t, item, e);
        break;
    case FXT_K_DURATION_COMPLETE:
        writer_complete(&t->w, e, end_of(t, item, e));
        break;
    default:
        if (!whole)
            return; /* only counted */
        if (r->kind <= FXT_K_ASYNC_END)
            writer_async(&t->w, (enum fxt_event)(FXT_ASYNC_BEGIN + (r->kind - FXT_K_ASYNC_BEGIN)),
                         e, r->id ^ t->moved.ids);
        else
            writer_flow(&t->w, (enum fxt_event)(FXT_FLOW_BEGIN + (r->kind - FXT_K_FLOW_BEGIN)), e,
                        record_flow_id(t->moved.ids, r->id));
        break;
    }
}

/* Makes the idle thread that of each side that is left out. */
static void leave_out(struct rewrite_target *t, const struct fxt_record *r, struct writer_switch *s,
                      struct writer_argument v[ARGUMENTS + 2]) {
    static const struct str weights[] = {{"outgoing_weight", 15}, {"incoming_weight", 15}};
    if (!(t->sides & REWRITE_OUT)) {
        s->out = writer_inline_thread(0, 0);
        s->out_tid = s->out_priority = 0;
        s->out_state = OUT_RUNNABLE;
    }
    if (!(t->sides & REWRITE_IN)) {
        s->in = writer_inline_thread(0, 0);
        s->in_tid = s->in_priority = 0;
    }
    for (unsigned i = 0; i < 2 && r->kind == FXT_K_SWITCH; i++)
        if (!(t->sides & (i == 0 ? REWRITE_OUT : REWRITE_IN)) && s->args.n < ARGUMENTS)
            v[s->args.n++] =
                writer_number(FXT_ARG_INT32, writer_intern(&t->w, weights[i]), (uint32_t)INT32_MIN);
}

/* Switches in the outgoing thread of a switch, from idle. */
static void enter(struct rewrite_target *t, enum fxt_kind kind, const struct writer_switch *s) {
    struct writer_argument weight = writer_number(
        FXT_ARG_INT32, writer_intern(&t->w, STR("outgoing_weight")), (uint32_t)INT32_MIN);
    struct writer_switch in = {.ts = s->ts,
                               .cpu = s->cpu,
                               .out_state = OUT_RUNNABLE,
                               .in = s->out,
                               .in_tid = s->out_tid,
                               .in_priority = s->out_priority};
    in.out = writer_inline_thread(0, 0);
    in.args = (struct writer_arguments){&weight, 1};
    if (kind == FXT_K_SWITCH_LEGACY)
        writer_switch_legacy(&t->w, &in);
    else
        writer_switch(&t->w, &in);
}

static void scheduling(struct rewrite_target *t, const struct item *item, uint64_t ts,
                       struct writer_arguments args, struct writer_argument v[ARGUMENTS + 2]) {
    const struct fxt_record *r = item->record;
    struct writer_switch s = {.ts = ts,
                              .cpu = r->sched.cpu,
                              .out_state = r->sched.state,
                              .out_priority = r->sched.out_priority,
                              .in_priority = r->sched.in_priority,
                              .out_tid = rewrite_moved_id(&t->moved, r->sched.out_tid),
                              .in_tid = rewrite_moved_id(&t->moved, r->sched.in_tid),
                              .args = args};
    if (r->kind == FXT_K_WAKEUP) {
        mark(t, item);
        writer_wakeup(&t->w, ts, r->sched.cpu, rewrite_moved_id(&t->moved, r->sched.in_tid), args);
        return;
    }
    if (r->kind == FXT_K_SWITCH_LEGACY) {
        s.out = thread(t, item->thread);
        s.in = thread(t, item->thread2);
    }
    leave_out(t, r, &s, v);
    if (t->sides & REWRITE_ENTER)
        enter(t, r->kind, &s);
    mark(t, item);
    if (r->kind == FXT_K_SWITCH_LEGACY)
        writer_switch_legacy(&t->w, &s);
    else
        writer_switch(&t->w, &s);
}

static void profile(struct rewrite_target *t, const struct item *item, struct writer_thread by,
                    uint64_t ts) {
    const struct fxt_record *r = item->record;
    if (r->faults & FXT_FAULT_CONTENTS)
        return;
    if (r->kind == FXT_K_MODULE) {
        char buf[REDACT_TEXT];
        struct str name = redact_text(t->redact, REDACT_NAME, r->payload, buf);
        writer_module(&t->w, ts, by, r->module.id, name, r->module.build_id);
    } else if (r->kind == FXT_K_MMAP) {
        struct writer_mapping m = {r->mmap.module_id, r->mmap.flags, r->mmap.start, r->mmap.size,
                                   r->mmap.address};
        writer_mmap(&t->w, ts, by, &m);
    } else {
        uint64_t pcs[256];
        for (size_t i = 0; i < r->backtrace.n; i++)
            pcs[i] = record_word(r->backtrace.pcs + i, r->swap);
        writer_backtrace(&t->w, ts, by, pcs, r->backtrace.n);
    }
}

/* The time of a record; of a counter or a switch, at the edges of the part that is written. */
static uint64_t ticks_of(struct rewrite_target *t, const struct item *item) {
    const struct fxt_record *r = item->record;
    uint64_t tps = rewrite_moved_rate(&t->moved, item->provider->clock.tps),
             ticks = rewrite_moved_time(&t->moved, item->provider->clock.tps, r->ts);
    bool state =
        r->kind == FXT_K_COUNTER || (r->kind >= FXT_K_SWITCH_LEGACY && r->kind <= FXT_K_WAKEUP);
    if (!t->choice->timed || !state || t->sides & REWRITE_OWN)
        return ticks;
    if (t->choice->damaged && t->choice->damaged(t->choice->ctx, item->offset))
        return ticks;
    struct wide first = wide_scale(t->choice->begin, tps, NS_A_SECOND, 0);
    struct wide last = wide_scale(t->choice->end, tps, NS_A_SECOND, NS_A_SECOND - 1);
    if (first.hi == 0 && ticks < first.lo)
        return first.lo;
    return last.hi == 0 && ticks > last.lo ? last.lo : ticks;
}

static bool tells_life(struct rewrite_target *t, const struct fxt_record *r) {
    char buf[REDACT_TEXT];
    return r->payload.n == 0 && str_eq(reader_string_now(t->reader, &r->name, buf), FXT_LIVED);
}

static void timed(struct rewrite_target *t, const struct item *item) {
    const struct fxt_record *r = item->record;
    struct writer_argument v[ARGUMENTS + 2];
    struct texts texts = {.n = 0};
    struct writer_event e = {.ts = ticks_of(t, item), .args = arguments(t, r, &texts, v)};
    if (r->kind != FXT_K_SWITCH && r->kind != FXT_K_WAKEUP) /* these name koids alone */
        e.thread = thread(t, item->thread);
    bool names = r->kind <= FXT_K_FLOW_END || r->kind == FXT_K_LARGE_EVENT;
    if (names) {
        e.category = string(t, &r->category, &texts);
        e.name = string(t, &r->name, &texts);
    }
    if (r->kind == FXT_K_LARGE_EVENT && tells_life(t, r))
        e.name = writer_intern(&t->w, FXT_LIVED);
    if (r->kind <= FXT_K_FLOW_END)
        event(t, item, &e);
    else if (r->kind >= FXT_K_SWITCH_LEGACY && r->kind <= FXT_K_WAKEUP)
        scheduling(t, item, e.ts, e.args, v);
    else if (r->kind == FXT_K_LOG) {
        mark(t, item);
        writer_log(&t->w, e.ts, e.thread,
                   redact_text(t->redact, REDACT_VALUE, r->payload, texts.v[texts.n]));
    } else if (r->kind == FXT_K_LARGE_EVENT)
        writer_large_event(&t->w, &e, redact_bytes(t->redact, r->payload));
    else
        profile(t, item,
                r->thread.no_tid
                    ? (struct writer_thread){.no_tid = true,
                                             .pid = rewrite_moved_id(&t->moved, r->thread.pid)}
                    : e.thread,
                e.ts);
}

/* The range of the part that is written, before any other blob. Without a range the blob has no
 * text: then the order of the records means no damage, as it never does if ends close by name. */
static void tell_part(struct rewrite_target *t) {
    char text[REWRITE_PART_TEXT] = "", from[40], to[40];
    const struct rewrite_range *range =
        t->choice->ranges ? &t->choice->ranges[t->moved.part] : &t->choice->range;
    bool ranged = wide_cmp(range->from, range->to) < 0;
    if (t->told || !t->choice->part || redact_learns(t->redact) ||
        (!ranged && reader_ends_by_name(t->reader, t->begin)))
        return;
    if (ranged)
        snprintf(text, sizeof text, "%s to %s ns%s", wide_text(range->from, from),
                 wide_text(range->to, to), range->closed ? REWRITE_PART_CLOSED : "");
    writer_blob(&t->w, writer_intern(&t->w, REWRITE_PART), FXT_BLOB_DATA, str_of(text));
    t->told = true;
}

/* Names are before all backtraces. */
static void tell_names(struct rewrite_target *t) {
    for (size_t i = 0; t->names && !t->names_told && i < t->names->ends.n; i++)
        writer_blob(&t->w, writer_intern(&t->w, SYMBOLS_BLOB), FXT_BLOB_DATA,
                    absent_names_blob(t->names, i));
    t->names_told = true;
}

/* Writes when threads lived, by the clock of the last provider: no event may have had one. */
static void tell_lives(struct rewrite_target *t) {
    uint64_t tps = t->providers.n > 0 ? t->providers.v[t->current].tps : 0;
    struct rewrite_life life;
    bool any = t->choice->life && tps > 0 && !redact_learns(t->redact);
    for (size_t n = 0; any && t->choice->life(t->choice->ctx, t->moved.part, n, &life); n++) {
        struct writer_event e = {.thread = thread_of(t, life.thread),
                                 .name = writer_intern(&t->w, FXT_LIVED)};
        struct wide ticks =
            wide_scale(life.ns, tps, NS_A_SECOND, life.before ? 0 : NS_A_SECOND - 1);
        e.ts = ticks.lo;
        if (ticks.hi == 0)
            writer_large_event(&t->w, &e, STR(""));
    }
}

/* "1500 to 2500 ns", or of its letters alone: no secret. */
static bool is_range(struct str text) {
    const struct str closed = STR(REWRITE_PART_CLOSED);
    size_t n = 0;
    if (text.n > closed.n && memcmp(text.s + text.n - closed.n, closed.s, closed.n) == 0)
        text.n -= closed.n;
    while (n < text.n && text.s[n] != '\0' && strchr("0123456789 tons", text.s[n]))
        n++;
    return n == text.n && n <= REWRITE_PART_TEXT;
}

static void blob(struct rewrite_target *t, const struct fxt_record *r, uint64_t offset,
                 struct texts *texts) {
    char buf[REDACT_TEXT];
    struct str name = reader_string_now(t->reader, &r->name, buf);
    bool part = str_eq(name, REWRITE_PART);
    if (r->blob.type == FXT_BLOB_DATA && r->blob.size == 0 && str_eq(name, FXT_DAMAGED)) {
        t->marked = offset + 8 * r->words;
        return;
    }
    if (r->blob.type == FXT_BLOB_DATA && str_eq(name, ARCHIVE_BLOB))
        return; /* it is true of the file that was read alone */
    char range[REWRITE_PART_TEXT];
    struct str payload = part ? redact_copy(t->redact, rewrite_moved_range(&t->moved, r->payload,
                                                                           range, sizeof range))
                              : STR("");
    if (!part || (t->redact && !is_range(payload)))
        writer_blob(&t->w, string(t, &r->name, texts), r->blob.type,
                    redact_bytes(t->redact, r->payload));
    else if (!t->choice->part && !redact_learns(t->redact)) /* else tell_part() did */
        writer_blob(&t->w, writer_intern(&t->w, REWRITE_PART), r->blob.type, payload);
}

static void untimed(struct rewrite_target *t, const struct item *item) {
    const struct fxt_record *r = item->record;
    struct writer_argument v[ARGUMENTS + 2];
    struct texts texts = {.n = 0};
    if (record_name_lost(r))
        return;
    switch (r->kind) {
    case FXT_K_THREAD: /* it exists even without an event */
        if (r->thread_def.index != 0)
            writer_intern_thread(&t->w, rewrite_moved_id(&t->moved, r->thread_def.pid),
                                 rewrite_moved_id(&t->moved, r->thread_def.tid));
        break;
    case FXT_K_PROVIDER_EVENT:
        writer_provider_event(&t->w, t->providers.v[t->current].id, r->provider.event);
        break;
    case FXT_K_BLOB:
        blob(t, r, item->offset, &texts);
        break;
    case FXT_K_LARGE_ATTACHMENT:
        writer_large_attachment(&t->w, string(t, &r->category, &texts), string(t, &r->name, &texts),
                                redact_bytes(t->redact, r->payload));
        break;
    case FXT_K_USERSPACE_OBJECT: {
        struct writer_thread by =
            r->thread.index == 0
                ? (struct writer_thread){.no_tid = r->thread.no_tid,
                                         .pid = rewrite_moved_id(&t->moved, r->thread.pid),
                                         .tid = rewrite_moved_id(&t->moved, r->thread.tid)}
                : thread(t, reader_thread_now(t->reader, r->thread.index));
        writer_userspace_object(&t->w, r->user.pointer, by, string(t, &r->name, &texts),
                                arguments(t, r, &texts, v));
        break;
    }
    case FXT_K_KERNEL_OBJECT:
        writer_kernel_object(&t->w, r->object.type, rewrite_moved_id(&t->moved, r->object.koid),
                             string(t, &r->name, &texts), arguments(t, r, &texts, v));
        break;
    default:
        break;
    }
}

/* The first threads come before all records, but after an initialization record with a flag: it
 * decides how threads are read. */
static void tell_threads(struct rewrite_target *t) {
    for (size_t i = 0; i < t->choice->nthreads && !t->threads_told; i++) {
        const struct thread_id *id = &t->choice->threads[i];
        if (t->moved.reader == NULL || id->world == t->moved.world)
            writer_thread(&t->w, 1, rewrite_moved_id(&t->moved, id->pid),
                          rewrite_moved_id(&t->moved, id->tid));
    }
    t->threads_told = true;
}

/* The number of a thread of the rewriting that the choice knows it by. */
static uint32_t number_of(struct rewrite_target *t, uint32_t thread) {
    for (uint32_t i = (uint32_t)t->numbers.n; i <= thread; i++)
        vec_push(&t->numbers,
                 threads_find(t->choice->numbers, threads_id(reader_threads(t->reader), i)));
    return t->numbers.v[thread];
}

static unsigned choose_sides(struct rewrite_target *t, const struct item *item) {
    struct item numbered = *item;
    if (t->choice->numbers && item->thread != NO_THREAD)
        numbered.thread = number_of(t, item->thread);
    return t->choice->sides(t->choice->ctx, &numbered);
}

static void take(void *ctx, const struct item *item) {
    struct rewrite_target *t = ctx;
    const struct fxt_record *r = item->record;
    bool init = r->kind == FXT_K_INITIALIZATION,
         choose = t->choice->sides && !redact_learns(t->redact);
    if (item->provider->part > 0 && file_derived_at(t->file, item->offset))
        return; /* what it is derived from is written */
    if (r->kind == FXT_K_MAGIC)
        t->ended = t->any; /* later records contradict no time before it (SEMANTICS 4.7) */
    if (r->kind == FXT_K_MAGIC || r->kind == FXT_K_STRING || r->kind == FXT_K_PROVIDER_SECTION)
        return;
    redact_record(t->redact);
    t->sides = choose ? choose_sides(t, item) : REWRITE_WHOLE;
    if (t->sides == 0)
        return;
    if (t->ended)
        writer_magic(&t->w);
    t->any = true;
    t->ended = false;
    if (!init || !r->init.ends_by_name)
        tell_threads(t);
    turn_to(t, item->provider);
    if (init || item->is_event) /* before them, no time needs it */
        tell_clock(t, item->provider, init ? r : NULL);
    tell_threads(t);
    tell_part(t);
    tell_names(t);
    if (item->is_event)
        timed(t, item);
    else
        untimed(t, item);
    if (redact_learns(t->redact))
        writer_take(&t->w);
}

/* A reader of one part alone, as the part was read before. */
static struct reader *part_reader(struct rewrite_target *t, const struct sink *sink) {
    struct reader *reader = reader_again(t->moved.reader, sink);
    struct file_part part;
    for (size_t i = 0; i < file_part_count(t->file); i++)
        if (i != t->moved.part)
            reader_pass_over(reader, i);
    file_part(t->file, t->moved.part, &part);
    t->source = file_part_file(t->file, t->moved.part);
    t->begin = part.begin;
    return reader;
}

bool rewrite_pass(struct rewrite_target *t, struct file *file, FILE *out) {
    struct sink sink = {t, NULL, NULL, take, reader_ignore_problem, NULL};
    enum reader_state state = READER_MORE;
    t->file = t->source = file;
    if (t->moved.reader) {
        t->reader = part_reader(t, &sink);
    } else {
        t->reader = reader_new(file, &sink);
        reader_only(t->reader, t->choice->providers);
    }
    if (t->choice->base && t->moved.reader == NULL)
        reader_set_base(t->reader, *t->choice->base);
    writer_init(&t->w, out);
    writer_magic(&t->w);
    while (state != READER_END && state != READER_ALIEN && !(out && ferror(out))) {
        if (state == READER_WAIT)
            file_step(file, 1u << 20, -1);
        state = reader_step(t->reader, 1u << 20);
    }
    tell_threads(t);
    tell_lives(t);
    return state != READER_ALIEN && file_size(file) > 0;
}

void rewrite_free_pass(struct rewrite_target *t) {
    writer_free(&t->w);
    vec_free(&t->providers);
    vec_free(&t->numbers);
    u64map_free(&t->places);
    u64map_free(&t->ids);
    reader_free(t->reader);
}

bool rewrite_write_pass(struct rewrite_target *t, struct file *file, FILE *out, struct err *err) {
    const char *why = NULL;
    bool ok = rewrite_pass(t, file, out);
    enum file_fault fault = file_fault(file, &why);
    if (!ok)
        file_refuse(t->source, err);
    else if (!writer_flush(&t->w, err))
        ok = errno == EPIPE;
    else if (fault >= FILE_NO_SPACE)
        ok = err_set(err, ERR_NO_OFFSET, "%s", why);
    rewrite_free_pass(t);
    return ok;
}

FILE *rewrite_beside(struct err *err) {
    int fd = temporary_open();
    FILE *beside = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (beside == NULL)
        err_set(err, ERR_NO_OFFSET, "a temporary file: %s", strerror(errno));
    if (beside == NULL && fd >= 0)
        close(fd);
    return beside;
}

bool rewrite_copy_file(FILE *from, FILE *out, struct err *err) {
    char buf[8192];
    size_t n;
    rewind(from);
    errno = 0;
    while ((n = fread(buf, 1, sizeof buf, from)) > 0)
        if (fwrite(buf, 1, n, out) < n)
            break;
    if (!ferror(from) && fflush(out) == 0 && !ferror(out))
        return true;
    return errno == EPIPE || err_set(err, ERR_NO_OFFSET, "%s", strerror(errno));
}

/* A number for all bytes of the file. Zeros count for nothing, whether or not they are in a
 * hole. */
static uint64_t digest(struct file *file) {
    static const char zeros[DIGEST_STEP];
    uint64_t sum = file_size(file), at = 0;
    for (size_t n; (at = file_data(file, at)) < file_size(file); at += DIGEST_STEP) {
        at -= at % DIGEST_STEP;
        const void *bytes = file_span(file, at, DIGEST_STEP, &n);
        n = n < DIGEST_STEP ? n : DIGEST_STEP;
        if (n > 0 && memcmp(bytes, zeros, n) != 0)
            sum = hash_words(sum ^ at, hash_bytes(bytes, n));
    }
    return sum;
}

/* The digest is of the size that was mapped, so a file that only grew has the same. */
static bool has_changed(const struct rewrite_target *t, struct file *file) {
    return redact_changed(t->redact) || (t->in_place && digest(file) != t->digest) ||
           file_was_written(file);
}

static bool write_redacted(struct rewrite_target *t, struct file *file, FILE *out,
                           struct err *err) {
    FILE *beside = rewrite_beside(err);
    if (beside == NULL)
        return false;
    bool ok = rewrite_write_pass(t, file, beside, err);
    if (ok && has_changed(t, file))
        ok = err_set(err, ERR_NO_OFFSET, "it changed while it was read: nothing is written");
    ok = ok && rewrite_copy_file(beside, out, err);
    fclose(beside);
    return ok;
}

bool rewrite_file(struct file *file, const struct rewrite_choice *choice, FILE *out,
                  struct err *err) {
    struct rewrite_target t = {.choice = choice,
                               .redact = choice->redact ? redact_new(choice->redact) : NULL};
    if (t.redact) {
        /* else its bytes are copied to a file that nothing else changes */
        bool in_place = file_ended(file);
        uint64_t before = in_place ? digest(file) : 0;
        rewrite_pass(&t, file, NULL);
        rewrite_free_pass(&t);
        redact_learned(t.redact);
        t = (struct rewrite_target){
            .choice = choice, .redact = t.redact, .in_place = in_place, .digest = before};
    }
    struct absent_names names = {.found = 0};
    if (choice->symbols && !t.redact) {
        absent_names_find(&names, file, choice->symbols);
        t.names = &names;
    }
    bool ok =
        t.redact ? write_redacted(&t, file, out, err) : rewrite_write_pass(&t, file, out, err);
    absent_names_free(&names);
    redact_free(t.redact);
    return ok;
}

bool rewrite_fxt(const char *path, const struct file_options *options,
                 const struct rewrite_choice *choice, FILE *out, struct err *err) {
    struct file *file = file_open(path, options, err);
    bool done = file && rewrite_file(file, choice, out, err);
    file_close(file);
    return done;
}
