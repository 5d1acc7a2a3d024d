/* suite_recover.c - buffers that were left in memory become a trace: each a provider, with all that
 * was committed. */
#include "record/recover.h"

#include <string.h>

#include "provider/lib/trace/event.h"
#include "provider/names.h"
#include "provider/write.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/record/written.h"

enum { BYTES = 65536, EVENTS = 200 };

static uint32_t generation = 50;

static uint64_t bytes[BYTES / 8];

static void begin_buffer(enum wire_mode mode) {
    memset(bytes, 0, sizeof bytes);
    write_init();
    write_layout(bytes, sizeof bytes, mode);
    write_buffer.epoch++;
    write_start(WIRE_CLEAR_ALL);
    names_session(1000000000);
    write_buffer.generation = ++generation;
    __atomic_store_n(&fxttrace_generation, generation, __ATOMIC_SEQ_CST);
}

static void put_instants(unsigned events) {
    for (unsigned i = 0; i < events; i++)
        TRACE_INSTANT("recover", "event", TRACE_SCOPE_THREAD, "i", TA_UINT32(i));
}

static void end_buffer(char path[SCRATCH_PATH]) {
    __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
    ck_assert(scratch_write(path, "buffer", bytes, sizeof bytes));
}

/* A buffer as a process left it that was killed after its last event. */
static void leave_buffer(char path[SCRATCH_PATH], enum wire_mode mode, unsigned events) {
    begin_buffer(mode);
    put_instants(events);
    end_buffer(path);
}

START_TEST(each_buffer_is_a_provider_with_its_events) {
    char paths[3][SCRATCH_PATH], *list[3];
    struct recovered recovered;
    const char *wrong;
    struct written w;
    struct err err;
    for (int mode = 0; mode < 3; mode++) {
        leave_buffer(paths[mode], (enum wire_mode)mode, EVENTS);
        list[mode] = paths[mode];
    }
    written_begin(&w, UINT64_MAX);
    output_close(&w.output, NULL);
    unlink(w.path);
    ck_assert_msg(recover(list, 3, w.path, &recovered, &wrong, &err), "%s: %s", wrong, err.text);
    ck_assert_uint_eq(recovered.dropped + recovered.faults, 0);
    written_read(&w);
    ck_assert_uint_eq(w.n * 8, recovered.bytes);
    ck_assert_uint_eq(written_count(&w, 4, 0), 3 * EVENTS);
    ck_assert_uint_eq(written_count(&w, 0, 1), 3); /* provider info */
    for (int mode = 0; mode < 3; mode++)
        unlink(paths[mode]);
    written_end(&w);
}
END_TEST

static void recover_one(struct written *w, char *path, struct recovered *recovered) {
    const char *wrong;
    struct err err;
    written_begin(w, UINT64_MAX);
    output_close(&w->output, NULL);
    unlink(w->path);
    ck_assert_msg(recover(&path, 1, w->path, recovered, &wrong, &err), "%s", err.text);
    unlink(path);
    written_read(w);
}

/* The losses of the trace, in order: the events before each. Returns their number. */
static unsigned losses_of(const struct written *w, unsigned before[4]) {
    unsigned n = 0, events = 0;
    for (size_t at = 0; at < w->n; at += written_size(w->v[at])) {
        events += (w->v[at] & 15) == 4;
        if ((w->v[at] & 0xf000f) == 3 << 16 && n < 4)
            before[n++] = events;
    }
    return n;
}

START_TEST(a_loss_stands_where_records_were_dropped) {
    char path[SCRATCH_PATH];
    struct recovered r;
    struct written w;
    unsigned before[4], all;
    for (int mode = 0; mode < 3; mode += 2) { /* until it is full, and later */
        leave_buffer(path, (enum wire_mode)mode, 10 * BYTES / 32);
        recover_one(&w, path, &r);
        all = written_count(&w, 4, 0);
        ck_assert_uint_eq(all + r.dropped, 10 * BYTES / 32);
        ck_assert(losses_of(&w, before) == 1 && before[0] == all && !r.unplaced);
        written_end(&w);
    }
    /* an end was dropped, and came in the next half */
    begin_buffer(WIRE_STREAMING);
    TRACE_DURATION_BEGIN("recover", "cut");
    put_instants(10 * BYTES / 32);
    TRACE_DURATION_END("recover", "cut");
    write_buffer.header->saved = 1;
    write_half_is_free(0);
    put_instants(EVENTS);
    end_buffer(path);
    recover_one(&w, path, &r);
    ck_assert_uint_eq(written_count(&w, 4, 3), 1);
    all = written_count(&w, 4, 0);
    ck_assert(losses_of(&w, before) == 1 && before[0] == all - EVENTS && !r.unplaced);
    written_end(&w);
}
END_TEST

/* One without chunks. */
START_TEST(a_plain_oneshot_buffer_that_is_full_has_its_loss_at_the_end) {
    const size_t size = sizeof bytes, data = WIRE_HEADER / 8;
    for (int full = 0; full < 2; full++) {
        char path[SCRATCH_PATH];
        struct recovered r;
        struct written w;
        unsigned before[4], n = full ? (unsigned)(size / 8 - data) / 4 : 9;
        memset(bytes, 0, size);
        *(struct wire_header *)(void *)bytes = (struct wire_header){
            .magic = WIRE_MAGIC, .total = size, .rolling_size = size - WIRE_HEADER, .dropped = 5};
        for (unsigned i = 0; i < n; i++) /* instants */
            memcpy(bytes + data + 4 * i, (uint64_t[]){4 | 4 << 4, 1000 + i, 0, 0}, 32);
        ck_assert(scratch_write(path, "recover", bytes, size));
        recover_one(&w, path, &r);
        ck_assert_uint_eq(written_count(&w, 4, 0), n);
        ck_assert_uint_eq(losses_of(&w, before), 1);
        ck_assert_uint_eq(before[0], full ? n : 0);
        ck_assert(r.unplaced == !full);
        written_end(&w);
    }
}
END_TEST

START_TEST(a_loss_without_a_place_stands_before_all) {
    char path[SCRATCH_PATH];
    struct recovered r;
    struct written w;
    unsigned before[4];
    for (int mode = 0; mode < 3; mode++)
        for (int claims = 0; claims < 2; claims++) {
            begin_buffer((enum wire_mode)mode);
            put_instants(EVENTS);
            write_buffer.header->dropped = claims ? UINT64_MAX : 5;
            end_buffer(path);
            recover_one(&w, path, &r);
            ck_assert(losses_of(&w, before) == 1 && before[0] == 0 && r.unplaced);
            ck_assert(r.doubted == claims && r.dropped == (claims ? 1 : 5));
            ck_assert_uint_eq(written_count(&w, 4, 0), EVENTS);
            written_end(&w);
        }
}
END_TEST

START_TEST(a_file_that_is_no_buffer_is_named_and_leaves_nothing) {
    char paths[2][SCRATCH_PATH], *list[2] = {paths[0], paths[1]}, out[SCRATCH_PATH + 5];
    struct recovered recovered;
    const char *wrong = NULL;
    struct err err;
    leave_buffer(paths[0], WIRE_ONESHOT, 3);
    ck_assert(scratch_write(paths[1], "text", "not a buffer at all", 19));
    snprintf(out, sizeof out, "%s.fxt", paths[0]);
    ck_assert(!recover(list, 2, out, &recovered, &wrong, &err));
    ck_assert_str_eq(wrong, paths[1]);
    ck_assert_int_ne(access(out, F_OK), 0);
    unlink(paths[0]);
    unlink(paths[1]);
}
END_TEST

SUITE(recover) {
    Suite *s = suite_create("recover");
    TCase *c = tcase_create("recover");
    tcase_add_test(c, each_buffer_is_a_provider_with_its_events);
    tcase_add_test(c, a_loss_stands_where_records_were_dropped);
    tcase_add_test(c, a_plain_oneshot_buffer_that_is_full_has_its_loss_at_the_end);
    tcase_add_test(c, a_loss_without_a_place_stands_before_all);
    tcase_add_test(c, a_file_that_is_no_buffer_is_named_and_leaves_nothing);
    suite_add_tcase(s, c);
    return s;
}
