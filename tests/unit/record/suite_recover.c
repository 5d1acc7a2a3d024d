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

/* A buffer as a process left it that was killed after its last event. */
static void leave_buffer(char path[SCRATCH_PATH], enum wire_mode mode, unsigned events) {
    static uint64_t bytes[BYTES / 8];
    memset(bytes, 0, sizeof bytes);
    write_init();
    write_layout(bytes, sizeof bytes, mode);
    write_buffer.epoch++;
    write_start(WIRE_CLEAR_ALL);
    names_session(1000000000);
    write_buffer.generation = ++generation;
    __atomic_store_n(&fxttrace_generation, generation, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < events; i++)
        TRACE_INSTANT("recover", "event", TRACE_SCOPE_THREAD, "i", TA_UINT32(i));
    __atomic_store_n(&fxttrace_generation, 0, __ATOMIC_SEQ_CST);
    ck_assert(scratch_write(path, "buffer", bytes, sizeof bytes));
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
    tcase_add_test(c, a_file_that_is_no_buffer_is_named_and_leaves_nothing);
    suite_add_tcase(s, c);
    return s;
}
