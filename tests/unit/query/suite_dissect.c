/* suite_dissect.c - each bit of a record is in one field, whatever the bits are; --records and the
 * view of bytes agree. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/output/report.h"
#include "model/query/dissect.h"
#include "src/base/text.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"
#include "tests/unit/lib/suites.h"

struct loaded {
    struct trace *trace;
    struct trace_bytes bytes;
    char path[SCRATCH_PATH];
};

static struct loaded load_bytes(struct trace_bytes bytes) {
    struct trace_options options = {0};
    struct loaded l = {.bytes = bytes};
    struct err err;
    ck_assert(scratch_write(l.path, "dissect", bytes.v, bytes.n));
    l.trace = trace_open(l.path, &options, &err);
    ck_assert_msg(l.trace != NULL, "%s", l.trace ? "" : err.text);
    trace_load(l.trace);
    return l;
}

static struct loaded load_text(const char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s", bytes.v ? "" : err.text);
    return load_bytes(bytes);
}

static void unload(struct loaded *l) {
    trace_free(l->trace);
    unlink(l->path);
    free(l->bytes.v);
}

/* ---- what holds of any ---- */

static const char *cover(const struct dissection *a, char why[120]) {
    uint64_t bits = a->bytes * 8, at = 0, next = 0;
    unsigned marked = 0;
    for (size_t i = 0; i < a->v.n; i++) {
        const struct dissect_field *f = &a->v.v[i];
        snprintf(why, 120, "field %zu, %s", i, f->name);
        /* neither gap nor overlap */
        if (f->bits > 0 && (f->bit != next || f->bit < at || f->bits > bits - f->bit))
            return why;
        at = f->bits ? f->bit : at;
        next += f->bits;
        marked |= 1u << f->fault;
        if ((f->bits == 0 && f->unit != DISSECT_STREAM) ||
            (f->why != NULL) != (f->fault != DISSECT_FINE) || f->value >= a->text.n ||
            f->raw >= a->text.n || f->note >= a->text.n ||
            (f->line != DISSECT_HIDDEN && f->value == 0))
            return why;
        for (const char *p = dissect_text(a, f->value); *p; p++)
            if (*p > 0 && *p < ' ')
                return why;
    }
    snprintf(why, 120, "faults %x, marked %x", a->faults, marked);
    if ((a->faults & ~marked) != 0 || (marked & ~a->faults & ~1u) != 0)
        return why;
    return next == bits ? NULL : "there are bits in no field";
}

static void check_cover(const struct dissection *a) {
    char why[120];
    const char *wrong = cover(a, why);
    if (wrong)
        ck_abort_msg("%s", wrong);
}

/* The faults that counted are those of record_decode(). */
static void check_faults(const struct dissection *a, const struct reader_frame *f) {
    struct fxt_record r;
    record_decode(&r, f->words, f->avail, f->size, f->swap);
    if (((a->faults & 1u << DISSECT_CONTENTS) != 0) != ((r.faults & FXT_FAULT_CONTENTS) != 0) ||
        ((a->faults & 1u << DISSECT_ARGUMENTS) != 0) != ((r.faults & FXT_FAULT_ARGUMENTS) != 0) ||
        a->kind != r.kind)
        ck_abort_msg("faults %x of a %s, record.c has %x of a %s", a->faults,
                     fxt_kind_name((enum fxt_kind)a->kind), r.faults,
                     fxt_kind_name((enum fxt_kind)r.kind));
}

/* A page that cannot be read follows the words. */
static uint64_t *guarded(uint64_t words, void **map, size_t *size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), body = (words * 8 + page - 1) / page * page;
    *size = body + page;
    FILE *zeros = tmpfile();
    ck_assert(zeros != NULL && ftruncate(fileno(zeros), (off_t)*size) == 0);
    *map = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(zeros), 0);
    ck_assert_ptr_ne(*map, MAP_FAILED);
    fclose(zeros);
    ck_assert_int_eq(mprotect((char *)*map + body, page, PROT_NONE), 0);
    return (uint64_t *)((char *)*map + body - words * 8);
}

static void check_words(struct dissection *a, const struct loaded *l, uint64_t offset,
                        uint64_t *end, uint64_t n, struct reader_frame f) {
    struct dissect_place places[] = {{trace_reader(l->trace), l->trace, 0},
                                     {trace_reader(l->trace), NULL, TEXT_ASCII}};
    f.size = record_words(record_word(end - n, f.swap));
    f.kind = f.size == 0 ? FRAME_ZERO_SIZE : f.size > n ? FRAME_CUT : FRAME_RECORD;
    f.avail = f.kind == FRAME_RECORD ? f.size : n;
    f.bytes = f.avail * 8;
    f.words = end - f.avail;
    if (f.avail < n) /* the record has become shorter: what it must not read is gone */
        memmove(end - f.avail, end - n, f.avail * 8);
    for (int i = 0; i < 2; i++) {
        dissect_frame(a, &places[i], offset, &f);
        check_cover(a);
        if (f.kind == FRAME_RECORD)
            check_faults(a, &f);
    }
}

static void flip_all(const struct loaded *l, uint64_t offset, const struct reader_frame *f) {
    struct dissection a = {0};
    uint64_t n = f->avail, *kept = malloc(n * 8);
    void *map;
    size_t size;
    memcpy(kept, l->bytes.v + offset, n * 8);
    uint64_t *words = guarded(n, &map, &size), step = n > 64 ? 61 : 1; /* of long ones not all */
    for (uint64_t bit = 0; bit <= n * 64; bit += bit < 2048 ? 1 : step) {
        memcpy(words, kept, n * 8);
        if (bit < n * 64)
            ((unsigned char *)words)[bit / 8] ^= (unsigned char)(1u << bit % 8);
        check_words(&a, l, offset, words + n, n, *f);
    }
    munmap(map, size);
    free(kept);
    dissect_free(&a);
}

static struct dirent **fixtures = NULL;
static int fixture_count;
static bool kinds_seen[FXT_K_COUNT];

static struct loaded load_fixture(int i) {
    char name[256];
    struct err err;
    snprintf(name, sizeof name, "%.*s", (int)strlen(fixtures[i]->d_name) - 4, fixtures[i]->d_name);
    struct trace_bytes bytes = tracegen_load(name, &err);
    ck_assert_msg(bytes.v != NULL, "%s", bytes.v ? "" : err.text);
    return load_bytes(bytes);
}

START_TEST(each_bit_is_in_one_field_with_any_bit_flipped) {
    struct loaded l = load_fixture(_i);
    struct reader_frame f;
    uint64_t at = 0;
    while (at % 8 == 0 && reader_frame_at(trace_reader(l.trace), at, &f)) {
        ck_assert_uint_gt(f.bytes, 0);
        if (f.kind != FRAME_BYTES)
            flip_all(&l, at, &f);
        at += f.bytes;
    }
    ck_assert_uint_eq(at, l.bytes.n);
    unload(&l);
}
END_TEST

/* The lines of --records, written while the trace is read, are those of its fields looked up
 * afterwards. */
START_TEST(records_and_bytes_say_the_same) {
    struct loaded l = load_fixture(_i);
    struct dissection a = {0};
    struct trace_options options = {0};
    struct dissect_place place = {trace_reader(l.trace), l.trace, 0};
    struct err err;
    char *records = NULL, *rest = NULL, front[100];
    size_t size;
    FILE *f = open_memstream(&records, &size);
    ck_assert(report_records(l.path, &options, f, false, &err));
    fclose(f);
    for (char *line = strtok_r(records, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        uint64_t offset = strtoull(line, NULL, 16);
        char *fields = NULL;
        if (strstr(line, " - damage: "))
            continue;
        ck_assert(dissect_open(&a, &place, offset));
        check_cover(&a);
        snprintf(front, sizeof front, "0x%06" PRIx64 " %" PRIu64 " %s", offset, a.bytes,
                 fxt_kind_name((enum fxt_kind)a.kind));
        f = open_memstream(&fields, &size);
        fputs(front, f);
        dissect_print(&a, f);
        fclose(f);
        ck_assert_str_eq(line, fields);
        free(fields);
    }
    free(records);
    dissect_free(&a);
    unload(&l);
}
END_TEST

START_TEST(the_fixtures_hold_every_kind) {
    struct dissection a = {0};
    for (int i = 0; i < fixture_count; i++) {
        struct loaded l = load_fixture(i);
        struct dissect_place place = {trace_reader(l.trace), l.trace, 0};
        for (uint64_t at = 0; dissect_open(&a, &place, at); at += a.bytes)
            if (a.frame == FRAME_RECORD)
                kinds_seen[a.kind] = true;
        unload(&l);
    }
    dissect_free(&a);
    for (int kind = 0; kind < FXT_K_COUNT; kind++)
        ck_assert_msg(kinds_seen[kind], "no fixture has a %s", fxt_kind_name((enum fxt_kind)kind));
}
END_TEST

/* ---- some, by the letter ---- */

/* WORD[LO..HI] NAME: RAW -> VALUE (NOTE) !WHY */
static char *fields_of(const struct loaded *l, uint64_t offset) {
    struct dissection a = {0};
    struct dissect_place place = {trace_reader(l->trace), l->trace, TEXT_ASCII};
    char *out = NULL;
    size_t n;
    FILE *f = open_memstream(&out, &n);
    if (!dissect_open(&a, &place, offset))
        fputs("nothing\n", f);
    for (size_t i = 0; i < a.v.n; i++) {
        const struct dissect_field *x = &a.v.v[i];
        const char *q = x->quoted ? "'" : "";
        uint64_t first = x->bit / 64, last = (x->bit + x->bits - (x->bits > 0)) / 64;
        if (x->unit == DISSECT_BITS)
            fprintf(f, "%d[%d..%d] ", (int)first, (int)(x->bit % 64),
                    (int)((x->bit + x->bits - 1) % 64));
        else if (x->bits == 0)
            fprintf(f, "%d-  ", (int)first);
        else if (first == last)
            fprintf(f, "%d  ", (int)first);
        else
            fprintf(f, "%d..%d ", (int)first, (int)last);
        fprintf(f, "%s:", x->name);
        if (x->raw)
            fprintf(f, " %s", dissect_text(&a, x->raw));
        if (!x->elsewhere && x->value)
            fprintf(f, "%s%s%s%s", x->raw ? " -> " : " ", q, dissect_text(&a, x->value), q);
        if (x->note)
            fprintf(f, " (%s)", dissect_text(&a, x->note));
        if (x->why)
            fprintf(f, " !%s", x->why);
        fputc('\n', f);
    }
    fclose(f);
    dissect_free(&a);
    return out;
}

static void check_fields(const char *text, uint64_t offset, const char *wanted) {
    struct loaded l = load_text(text);
    char *got = fields_of(&l, offset);
    ck_assert_msg(strcmp(got, wanted) == 0, "wanted:\n%sgot:\n%s", wanted, got);
    free(got);
    unload(&l);
}

#define HEAD "magic\nprovider 1 \"p\"\ninit 1000000\nstring 1 \"Load\\nTexture\"\nthread 1 5 6\n"
#define HEAD_BYTES (8 + 16 + 16 + 24 + 24)

START_TEST(an_event_with_arguments) {
    check_fields(
        HEAD
        "kernel_object 1 5 \"app\"\nkernel_object 2 6 \"main\" process=koid:5\n"
        "complete 100 t1 \"category\" s1 n=i32:-7 s=s1 k=koid:5 end=90\nsize 12\nword 0xfeed\n",
        HEAD_BYTES + 24 + 48,
        "0[0..3] record type: 4 (event)\n"
        "0[4..15] record size: 12 (words, 96 bytes)\n"
        "0[16..19] event type: 4 (duration_complete)\n"
        "0[20..23] number of arguments: 3\n"
        "0[24..31] thread ref: 1 -> 5/6 (app / main)\n"
        "0[32..47] category ref: 0x8008, inline of 8 bytes\n"
        "0[48..63] name ref: 1 -> 'Load^JTexture'\n"
        "1  timestamp: 100 (100000 ns, +0 ns)\n"
        "2  category: 'category'\n"
        "3[0..3] argument type: 1 -> int32\n"
        "3[4..15] argument size: 2 (words)\n"
        "3[16..31] argument name ref: 0x8001, inline of 1 byte\n"
        "3[32..63] value: -7\n"
        "4  argument name: 'n'\n"
        "4  padding: 7 bytes\n"
        "5[0..3] argument type: 6 -> string\n"
        "5[4..15] argument size: 2 (words)\n"
        "5[16..31] argument name ref: 0x8001, inline of 1 byte\n"
        "5[32..47] value ref: 1 -> 'Load^JTexture'\n"
        "5[48..63] reserved: 0\n"
        "6  argument name: 's'\n"
        "6  padding: 7 bytes\n"
        "7[0..3] argument type: 8 -> koid\n"
        "7[4..15] argument size: 3 (words)\n"
        "7[16..31] argument name ref: 0x8001, inline of 1 byte\n"
        "7[32..63] reserved: 0\n"
        "8  argument name: 'k'\n"
        "8  padding: 7 bytes\n"
        "9  value: 5 (app)\n"
        "10  end: 90 (90000 ns, -0.000010000 s) !it ends before it begins\n"
        "11  extra word: 1 word !longer than the known contents\n");
}
END_TEST

START_TEST(references_mean_what_they_did_then) {
    check_fields(HEAD "instant 100 t1 s1 s7\ninit 1000\nstring 1 \"other\"\nstring 7 \"late\"\n",
                 HEAD_BYTES,
                 "0[0..3] record type: 4 (event)\n"
                 "0[4..15] record size: 2 (words, 16 bytes)\n"
                 "0[16..19] event type: 0 (instant)\n"
                 "0[20..23] number of arguments: 0\n"
                 "0[24..31] thread ref: 1 -> 5/6\n"
                 "0[32..47] category ref: 1 -> 'Load^JTexture'\n"
                 "0[48..63] name ref: 7 -> '<string 7>' !this index was never registered\n"
                 "1  timestamp: 100 (100000 ns, +0 ns)\n");
}
END_TEST

/* Each provider has a clock of its own, then as now. */
START_TEST(ticks_are_those_of_the_provider_that_wrote_them) {
    check_fields(HEAD "provider 2 \"q\"\ninit 1000\nsection 1\ninstant 100 t1 s1 s1\n",
                 HEAD_BYTES + 40,
                 "0[0..3] record type: 4 (event)\n"
                 "0[4..15] record size: 2 (words, 16 bytes)\n"
                 "0[16..19] event type: 0 (instant)\n"
                 "0[20..23] number of arguments: 0\n"
                 "0[24..31] thread ref: 1 -> 5/6\n"
                 "0[32..47] category ref: 1 -> 'Load^JTexture'\n"
                 "0[48..63] name ref: 1 -> 'Load^JTexture'\n"
                 "1  timestamp: 100 (100000 ns, +0 ns)\n");
}
END_TEST

START_TEST(the_id_of_a_known_provider_has_its_name) {
    check_fields(HEAD "provider 2 \"q\"\nsection 1\n", HEAD_BYTES + 16,
                 "0[0..3] record type: 0 (metadata)\n"
                 "0[4..15] record size: 1 (words, 8 bytes)\n"
                 "0[16..19] metadata type: 2 (provider section)\n"
                 "0[20..51] provider id: 1 (p)\n"
                 "0[52..63] reserved: 0\n");
    check_fields(HEAD "section 3\n", HEAD_BYTES,
                 "0[0..3] record type: 0 (metadata)\n"
                 "0[4..15] record size: 1 (words, 8 bytes)\n"
                 "0[16..19] metadata type: 2 (provider section)\n"
                 "0[20..51] provider id: 3\n"
                 "0[52..63] reserved: 0\n");
}
END_TEST

/* --records reads once: a name that comes later is not known yet. */
START_TEST(a_line_names_a_provider_known_by_then) {
    static const char *const lines[] = {
        "provider_section provider_id=2\n",
        "provider_info provider_id=2 name=\"q\"\n",
        "provider_section provider_id=1 provider=\"p\"\n",
        "provider_event provider_id=2 provider=\"q\" event=0\n",
    };
    struct loaded l = load_text(
        "magic\nprovider 1 \"p\"\nsection 2\nprovider 2 \"q\"\nsection 1\nprovider_event 2 0\n");
    struct trace_options options = {0};
    struct err err;
    char *records = NULL, *at;
    size_t size;
    FILE *f = open_memstream(&records, &size);
    ck_assert(report_records(l.path, &options, f, false, &err));
    fclose(f);
    at = records;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        at = strstr(at, lines[i]);
        ck_assert_msg(at != NULL, "%s is not in\n%s", lines[i], records);
    }
    free(records);
    unload(&l);
}
END_TEST

START_TEST(an_argument_of_size_0) {
    check_fields(HEAD "begin 100 t1 s1 s1 a=i64:1 b=i32:2\npoke 5 0x0000000280010001\n", HEAD_BYTES,
                 "0[0..3] record type: 4 (event)\n"
                 "0[4..15] record size: 7 (words, 56 bytes)\n"
                 "0[16..19] event type: 2 (duration_begin)\n"
                 "0[20..23] number of arguments: 2 !fewer are present\n"
                 "0[24..31] thread ref: 1 -> 5/6\n"
                 "0[32..47] category ref: 1 -> 'Load^JTexture'\n"
                 "0[48..63] name ref: 1 -> 'Load^JTexture'\n"
                 "1  timestamp: 100 (100000 ns, +0 ns)\n"
                 "2[0..3] argument type: 3 -> int64\n"
                 "2[4..15] argument size: 3 (words)\n"
                 "2[16..31] argument name ref: 0x8001, inline of 1 byte\n"
                 "2[32..63] reserved: 0\n"
                 "3  argument name: 'a'\n"
                 "3  padding: 7 bytes\n"
                 "4  value: 1\n"
                 "5[0..3] argument type: 1 -> int32\n"
                 "5[4..15] argument size: 0 (words) !an argument of size 0\n"
                 "5[16..31] argument name ref: 0x8001, inline of 1 byte\n"
                 "5[32..63] not decoded: 0x2\n"
                 "6  not decoded: 1 word\n");
}
END_TEST

START_TEST(contents_that_exceed_and_bits_that_are_reserved) {
    check_fields(HEAD "blob s1 200 \"abcde\"\npoke 0 0x80c8800900010025\n", HEAD_BYTES,
                 "0[0..3] record type: 5 (blob)\n"
                 "0[4..15] record size: 2 (words, 16 bytes)\n"
                 "0[16..31] name ref: 1 -> 'Load^JTexture'\n"
                 "0[32..46] length: 9 (bytes) !the contents exceed the record\n"
                 "0[47..47] reserved: 0x1 !reserved bits are set\n"
                 "0[48..55] blob type: 200 !undefined blob type\n"
                 "0[56..63] reserved: 0x80 !reserved bits are set\n"
                 "1  contents: 8 bytes\n");
    check_fields(HEAD "string 2 \"abc\"\npoke 1 0x01000000636261\n", HEAD_BYTES,
                 "0[0..3] record type: 2 (string)\n"
                 "0[4..15] record size: 2 (words, 16 bytes)\n"
                 "0[16..30] index: 2\n"
                 "0[31..31] reserved: 0\n"
                 "0[32..46] length: 3 (bytes)\n"
                 "0[47..47] reserved: 0\n"
                 "0[48..63] reserved: 0\n"
                 "1  string: 'abc'\n"
                 "1  padding: 5 bytes !padding is not zero\n");
}
END_TEST

START_TEST(what_cannot_be_framed) {
    static const char cut[] = HEAD "instant 100 t1 s1 \"a name cut off\"\ncut 12\n";
    check_fields(
        HEAD
        "word 0x8000000000000004 7\ninstant 1 t1 s1 s1\ninstant 2 t1 s1 s1\ninstant 3 t1 s1 s1\n",
        HEAD_BYTES,
        "0[0..3] record type: 4 (event)\n"
        "0[4..15] record size: 0 !size 0: the next record cannot be located\n"
        "0[16..63] not decoded: 0x800000000000\n"
        "1  skipped: 1 word\n");
    check_fields(HEAD "zeros 3\ninstant 4 t1 s1 s1\nbytes 01 02 03\n", HEAD_BYTES,
                 "0..2 zeros: 3 words !zeros where a record should be\n");
    check_fields(HEAD "bytes 01 02 03\n", HEAD_BYTES,
                 "0  trailing bytes: 3 bytes !less than a word\n");
    check_fields(cut, HEAD_BYTES,
                 "0[0..3] record type: 4 (event)\n"
                 "0[4..15] record size: 4 (words, 32 bytes) !the record would end after the end of "
                 "the file\n"
                 "0[16..19] event type: 0 (instant)\n"
                 "0[20..23] number of arguments: 0\n"
                 "0[24..31] thread ref: 1 -> 5/6\n"
                 "0[32..47] category ref: 1 -> 'Load^JTexture'\n"
                 "0[48..63] name ref: 0x800e, inline of 14 bytes !cut off\n"
                 "1  timestamp: 100 (100000 ns)\n");
    check_fields(HEAD, HEAD_BYTES, "nothing\n");
}
END_TEST

START_TEST(both_byte_orders_have_the_same_fields) {
    const char *text = HEAD "instant 100 5/6 \"cat\" s1 x=f64:0.5 b=blob:fill:9\n";
    char big[512];
    snprintf(big, sizeof big, "big_endian\n%s", text);
    struct loaded a = load_text(text), b = load_text(big);
    char *x = fields_of(&a, HEAD_BYTES), *y = fields_of(&b, HEAD_BYTES);
    ck_assert_str_eq(x, y);
    free(x);
    free(y);
    unload(&a);
    unload(&b);
}
END_TEST

/* ---- */

static int is_text(const struct dirent *d) {
    size_t n = strlen(d->d_name);
    return n > 4 && strcmp(d->d_name + n - 4, ".txt") == 0;
}

SUITE(dissect) {
    const char *dir = getenv("srcdir");
    char path[512];
    Suite *s = suite_create("dissect");
    TCase *any = tcase_create("any"), *some = tcase_create("some");
    snprintf(path, sizeof path, "%s/tests/traces", dir ? dir : ".");
    int n = scandir(path, &fixtures, is_text, alphasort);
    fixture_count = n > 0 ? n : 0;
    tcase_add_loop_test(any, each_bit_is_in_one_field_with_any_bit_flipped, 0, n > 0 ? n : 1);
    tcase_add_loop_test(any, records_and_bytes_say_the_same, 0, n > 0 ? n : 1);
    tcase_add_test(any, the_fixtures_hold_every_kind);
    tcase_add_test(some, an_event_with_arguments);
    tcase_add_test(some, references_mean_what_they_did_then);
    tcase_add_test(some, ticks_are_those_of_the_provider_that_wrote_them);
    tcase_add_test(some, an_argument_of_size_0);
    tcase_add_test(some, the_id_of_a_known_provider_has_its_name);
    tcase_add_test(some, a_line_names_a_provider_known_by_then);
    tcase_add_test(some, contents_that_exceed_and_bits_that_are_reserved);
    tcase_add_test(some, what_cannot_be_framed);
    tcase_add_test(some, both_byte_orders_have_the_same_fields);
    suite_add_tcase(s, any);
    suite_add_tcase(s, some);
    return s;
}
