/* fuzz_sql.c - statements of SQL over a small trace of all kinds of records. The first byte chooses
 * the format of the rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/trace/trace.h"
#include "sql/print.h"
#include "src/base/vec.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/tracegen.h"

#define INSTRUCTIONS 200000 /* about, of a query: more ends it */
#define MEMORY (32u << 20)

static const char text[] =
    "magic\nprovider 1 \"p\"\ninit 1000000000\nthread 1 7 8\nthread 2 7 9\n"
    "kernel_object 1 7 \"shell\"\nkernel_object 2 8 \"main\" process=koid:7\n"
    "begin 0 t1 \"ui\" \"outer\" n=i32:5 s=\"text\"\nbegin 100 t1 \"ui\" \"inner\"\nflow_begin 110 "
    "t1 \"c\" \"f\" id=3\n"
    "end 200 t1 \"ui\" \"inner\"\nend 500 t1 \"ui\" \"outer\"\ncomplete 600 t2 \"ui\" \"leaf\" "
    "end=900\n"
    "flow_end 700 t2 \"c\" \"f\" id=3\ncounter 300 t1 \"c\" \"n\" id=1 v=u32:4\ninstant 650 t2 "
    "\"c\" \"i\"\n"
    "async_begin 10 t1 \"c\" \"a\" id=9\nasync_end 800 t1 \"c\" \"a\" id=9\nlog 400 t1 \"line\"\n"
    "switch 50 1 8 3 9\nswitch 450 1 9 3 8\nblob \"b\" 1 \"bytes\"\nbegin 950 t1 \"ui\" \"open\"\n";

static struct trace *small_trace(void) {
    static struct trace *trace;
    struct err err;
    char path[40];
    if (trace)
        return trace;
    struct trace_bytes bytes = tracegen(text, &err);
    FUZZ_MUST(bytes.v != NULL);
    int fd = fuzz_hold((const uint8_t *)bytes.v, bytes.n, path);
    trace = trace_open(path, &(struct trace_options){0}, &err);
    FUZZ_MUST(trace != NULL);
    trace_load(trace);
    close(fd);
    free(bytes.v);
    return trace;
}

/* No control character but blanks and line ends reaches a terminal. */
static void check_output(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        FUZZ_MUST((unsigned char)s[i] >= 0x20 ? s[i] != 0x7f
                                              : s[i] == '\n' || s[i] == '\r' || s[i] == '\t');
}

void fuzz_sql(const uint8_t *data, size_t size) {
    static const struct query_options options = {.memory = MEMORY, .instructions = INSTRUCTIONS};
    struct err err = {.text = "", .at = ERR_NO_OFFSET};
    if (size == 0)
        return;
    struct print_style style = {.format = (enum relation_format)(data[0] % 4),
                                .ascii = data[0] & 4};
    struct query *query = query_new(small_trace(), &options, &err);
    FUZZ_MUST(query != NULL);
    char *out = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&out, &n);
    FUZZ_MUST(f != NULL);
    struct str sql = {(const char *)data + 1, size - 1};
    bool taken = query_begin(query, sql, &err);
    enum query_state state = taken ? print_rows(query, &style, f, &err) : QUERY_FAILED;
    FUZZ_MUST(fclose(f) == 0);
    check_output(out, n);
    if (state == QUERY_FAILED) {
        FUZZ_MUST(err.text[0] != '\0' && strlen(err.text) < sizeof err.text);
        for (const char *s = err.text; *s; s++)
            FUZZ_MUST((unsigned char)*s >= 0x20 && *s != 0x7F);
        FUZZ_MUST(err.at == ERR_NO_OFFSET || err.at <= sql.n);
    }
    query_free(query);
    free(out);
}
