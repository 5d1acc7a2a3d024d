/* suite_processes_list.c - the tree of processes as text: whole outputs. */
#include "model/output/processes_list.h"

#include <stdlib.h>

#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/suites.h"

static const char records[] =
    "magic\n"
    "init 1000000000\n"
    "async_begin 1000 10/10 \"process\" \"make\" id=1 parent=koid:9 command=\"/bin/make all\"\n"
    "async_begin 2000 11/11 \"process\" \"cc\" id=2 parent=koid:10 command=\"cc a.c /tmp/\"\n"
    "async_end 3000 11/11 \"process\" \"cc\" id=2 signal=u64:11 \"cpu ns\"=u64:9\n"
    "async_begin 4000 12/12 \"process\" \"sh\" id=3 parent=koid:11\n"
    "async_end 9000 10/10 \"process\" \"make\" id=1 status=u64:2 \"peak bytes\"=u64:4096\n";

static char *printed(const char *text, bool csv) {
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    struct processes p = {.trace = loaded_text(text)};
    if (csv) {
        processes_make(NULL, &p);
        relation_csv(&processes_list, &p, f, NULL, trace_origin(p.trace));
        processes_free(&p);
    } else {
        processes_list_print(p.trace, f, true);
    }
    fclose(f);
    trace_free(p.trace);
    return out;
}

START_TEST(csv_has_all_columns) {
    char *out = printed(records, true);
    ck_assert_str_eq(
        out, "\"command\",\"wall_ns\",\"cpu_ns\",\"peak_bytes\",\"peak_of\",\"exit\",\"ts_ns\","
             "\"pid\",\"parent_pid\",\"depth\"\r\n"
             "\"make all\",8000,,4096,\"exact\",\"2\",0,10,,0\r\n"
             "\"  cc a.c /tmp/\",1000,9,,,\"signal 11\",1000,11,10,1\r\n"
             "\"    sh\",5000,,,,\"goes on\",3000,12,11,2\r\n");
    free(out);
}
END_TEST

START_TEST(without_processes_a_line_says_so) {
    char *out = printed("magic\ninit 1000\ninstant 0 1/2 \"c\" \"i\"\n", false);
    ck_assert_str_eq(out, "no processes: fxtop record writes them\n");
    free(out);
}
END_TEST

SUITE(processes_list) {
    Suite *s = suite_create("processes_list");
    TCase *t = tcase_create("processes_list");
    tcase_add_test(t, csv_has_all_columns);
    tcase_add_test(t, without_processes_a_line_says_so);
    suite_add_tcase(s, t);
    return s;
}
