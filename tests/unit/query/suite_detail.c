/* suite_detail.c - a record decoded again: its thread, its name, and each argument as text. */
#include "model/query/detail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/chance.h"
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

/* The record of the only instant. */
static struct detail open_instant(struct trace *trace) {
    struct detail d;
    size_t n;
    for (size_t i = 0; i < trace_thread_count(trace); i++) {
        const struct instant *v = trace_instants(trace_thread(trace, i), &n);
        if (n > 0) {
            ck_assert(detail_open(&d, trace, event_offset(v[0].packed)));
            return d;
        }
    }
    ck_abort_msg("there is no instant");
}

START_TEST(each_argument_has_its_name_its_type_and_its_text) {
    static const struct {
        const char *name;
        uint8_t type;
        const char *text;
    } wanted[] = {{"a", FXT_ARG_NULL, "null"},
                  {"b", FXT_ARG_INT32, "-5"},
                  {"c", FXT_ARG_UINT32, "4294967295"},
                  {"d", FXT_ARG_INT64, "-9223372036854775808"},
                  {"e", FXT_ARG_UINT64, "18446744073709551615"},
                  {"f", FXT_ARG_DOUBLE, "0.1"},
                  {"g", FXT_ARG_POINTER, "0xffffffffffffffff"},
                  {"h", FXT_ARG_KOID, "7"},
                  {"i", FXT_ARG_BOOL, "true"},
                  {"j", FXT_ARG_BOOL, "false"},
                  {"k", FXT_ARG_STRING, "text"},
                  {"l", FXT_ARG_DOUBLE, "NaN"},
                  {"m", FXT_ARG_DOUBLE, "-Infinity"},
                  {"n", FXT_ARG_DOUBLE, "-0"}};
    struct trace *trace = loaded_text(
        "magic\nprovider 1 \"p\"\nstring 1 \"cat\"\nstring 2 \"name\"\nthread 3 5 6\n"
        "instant 9 t3 s1 s2 a=null b=i32:-5 c=u32:0xffffffff "
        "d=i64:-9223372036854775808 e=u64:0xffffffffffffffff f=f64:0.1 "
        "g=ptr:0xffffffffffffffff h=koid:7 i=bool:true j=bool:false k=\"text\" l=f64:nan "
        "m=f64:-inf n=f64:-0\n");
    struct detail d = open_instant(trace);
    struct detail_argument a;
    char buf[64];
    ck_assert(str_eq(d.category, STR("cat")) && str_eq(d.name, STR("name")));
    struct fxt_arguments args = d.record.args;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ck_assert(detail_argument(&d, &args, &a));
        ck_assert(str_eq(a.name, str_of(wanted[i].name)));
        ck_assert_uint_eq(a.type, wanted[i].type);
        struct str text = detail_value(&a, buf);
        ck_assert_msg(str_eq(text, str_of(wanted[i].text)), "%s: %.*s", wanted[i].name, (int)text.n,
                      text.s);
    }
    ck_assert(!detail_argument(&d, &args, &a));
    trace_free(trace);
}
END_TEST

START_TEST(a_double_as_text_reads_back_as_the_same) {
    struct chance chance = {91};
    for (int set = 0; set < 20000; set++) {
        uint64_t bits = chance_star(&chance), same;
        double x, back;
        char buf[64];
        if (set % 2) {
            x = (double)(int64_t)below(&chance, 100000) / 1000;
            memcpy(&bits, &x, sizeof bits);
        }
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        struct detail_argument a = {.type = FXT_ARG_DOUBLE, .bits = bits};
        struct str text = detail_value(&a, buf);
        back = strtod(text.s, NULL);
        memcpy(&same, &back, sizeof same);
        MUST(same == bits, set);
    }
}
END_TEST

/* The fast ways to text are for numbers, and numbers with few decimals. */
START_TEST(a_number_as_text_is_the_shortest_that_printf_has) {
    struct chance chance = {93};
    for (int set = 0; set < 100000; set++) {
        static const double scales[] = {1, 10, 1000, 1e6, 1e7, 1e9};
        double x = (double)(chance_star(&chance) >> below(&chance, 64)) / scales[below(&chance, 6)];
        char buf[64], slow[64];
        uint64_t bits;
        x = set % 3 ? x : -x;
        memcpy(&bits, &x, sizeof bits);
        if (set % 7 == 0) /* powers of two, and their neighbours */
            bits = ((below(&chance, 2046) + 1) << 52) + below(&chance, 3) - 1;
        else if (set % 7 == 1)
            bits = chance_star(&chance) & ~(UINT64_C(1) << 62);
        memcpy(&x, &bits, sizeof x);
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(slow, sizeof slow, "%.*g", digits, x);
            if (strtod(slow, NULL) == x)
                break;
        }
        MUST(str_eq(
                 detail_value(&(struct detail_argument){.type = FXT_ARG_DOUBLE, .bits = bits}, buf),
                 str_of(slow)),
             set);
        snprintf(slow, sizeof slow, "%lld", (long long)bits);
        MUST(str_eq(
                 detail_value(&(struct detail_argument){.type = FXT_ARG_INT64, .bits = bits}, buf),
                 str_of(slow)),
             set);
    }
}
END_TEST

/* References are registered again all the time, by two providers, and some never. */
static struct trace *reregistering(void) {
    static char text[400000];
    struct chance chance = {97};
    size_t n = (size_t)snprintf(text, sizeof text, "magic\nprovider 1 \"p\"\nprovider 2 \"q\"\n");
    for (int i = 0; i < 3000; i++) {
        unsigned a = 1 + (unsigned)below(&chance, 6), b = 1 + (unsigned)below(&chance, 6);
        char *to = text + n;
        size_t left = sizeof text - n;
        switch (below(&chance, 4)) {
        case 0:
            n += (size_t)snprintf(to, left, "section %u\n", 1 + a % 2);
            break;
        case 1:
            n += (size_t)snprintf(to, left, "string %u \"text %d\"\n", a, i);
            break;
        default:
            n += (size_t)snprintf(to, left, "instant %d %u/%u s%u s%u s%u=s%u\n", i, a, b, a, b, b,
                                  a);
            break;
        }
    }
    return loaded_text(text);
}

START_TEST(a_memo_changes_no_name) {
    struct trace *trace = reregistering();
    struct detail_memo *memo = detail_memo_new();
    struct chance chance = {101};
    size_t opened = 0;
    trace_share(trace);
    for (int set = 0; set < 20000; set++) {
        const struct thread *t = trace_thread(trace, below(&chance, trace_thread_count(trace)));
        struct detail slow, fast;
        struct detail_argument a, b;
        size_t n;
        const struct instant *v = trace_instants(trace_thread(trace, t->number), &n);
        uint64_t offset =
            n > 0 ? event_offset(v[set % 2 ? below(&chance, n) : (size_t)set % n].packed) : 0;
        if (n == 0 || !detail_open(&slow, trace, offset))
            continue;
        opened++;
        MUST(detail_open_by(&fast, trace, offset, memo) && fast.provider == slow.provider, set);
        MUST(str_eq(fast.category, slow.category) && str_eq(fast.name, slow.name), set);
        struct fxt_arguments args = slow.record.args, again = fast.record.args;
        MUST(detail_argument(&slow, &args, &a) && detail_argument(&fast, &again, &b), set);
        MUST(str_eq(a.name, b.name) && str_eq(a.string, b.string), set);
        MUST(detail_thread(&fast) == t->number && trace_thread_at(trace, offset) == t->number, set);
    }
    ck_assert_uint_gt(opened, 10000);
    detail_memo_free(memo);
    trace_free(trace);
}
END_TEST

START_TEST(an_argument_is_found_by_its_name_and_the_first_of_two) {
    struct trace *trace =
        loaded_text("magic\nprovider 1 \"p\"\ninstant 9 5/6 \"c\" \"n\" x=u32:1 y=u32:2 x=u32:3\n");
    struct detail d = open_instant(trace);
    struct detail_argument a;
    ck_assert(detail_find(&d, "x", &a) && a.bits == 1);
    ck_assert(detail_find(&d, "y", &a) && a.bits == 2);
    ck_assert(!detail_find(&d, "z", &a) && !detail_find(&d, "", &a) && !detail_find(&d, "xx", &a));
    trace_free(trace);
}
END_TEST

START_TEST(an_argument_names_what_it_stands_for) {
    struct trace *trace =
        loaded_text("magic\nprovider 1 \"p\"\nkernel_object 1 77 \"the process\"\n"
                    "userspace_object 0x1000 5/6 \"the layer\"\n"
                    "instant 9 5/6 \"c\" \"n\" a=koid:77 b=koid:78 c=ptr:0x1000 d=ptr:0x1001\n");
    struct detail d = open_instant(trace);
    struct detail_argument a;
    ck_assert(detail_find(&d, "a", &a) && str_eq(a.object, STR("the process")));
    ck_assert(detail_find(&d, "b", &a) && a.object.n == 0);
    ck_assert(detail_find(&d, "c", &a) && str_eq(a.object, STR("the layer")));
    ck_assert(detail_find(&d, "d", &a) && a.object.n == 0);
    trace_free(trace);
}
END_TEST

START_TEST(what_is_no_record_is_not_opened) {
    struct trace *trace = loaded_text("magic\nprovider 1 \"p\"\ninstant 9 5/6 \"c\" \"n\"\n");
    struct detail d;
    ck_assert(!detail_open(&d, trace, file_size(trace_file(trace))));
    ck_assert(!detail_open(&d, trace, UINT64_MAX / 8 * 8));
    trace_free(trace);
}
END_TEST

SUITE(detail) {
    Suite *s = suite_create("detail");
    TCase *t = tcase_create("detail");
    tcase_add_test(t, each_argument_has_its_name_its_type_and_its_text);
    tcase_add_test(t, a_double_as_text_reads_back_as_the_same);
    tcase_add_test(t, a_number_as_text_is_the_shortest_that_printf_has);
    tcase_add_test(t, a_memo_changes_no_name);
    tcase_add_test(t, an_argument_is_found_by_its_name_and_the_first_of_two);
    tcase_add_test(t, an_argument_names_what_it_stands_for);
    tcase_add_test(t, what_is_no_record_is_not_opened);
    suite_add_tcase(s, t);
    return s;
}
