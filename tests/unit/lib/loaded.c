/* loaded.c - writes the text as a trace to a file that is removed once it is open. */
#include "tests/unit/lib/loaded.h"
#include "tests/unit/lib/libcheck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/output/ndjson.h"
#include "src/import/importers.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tracegen.h"

static struct trace *load_bytes(struct str bytes, const struct importer *const *with) {
    char path[SCRATCH_PATH];
    struct err err;
    ck_assert(scratch_write(path, "loaded", bytes.s, bytes.n));
    struct trace *trace = trace_open(path, &(struct trace_options){.file.importers = with}, &err);
    ck_assert_msg(trace != NULL, "%s", err.text);
    unlink(path);
    trace_load(trace);
    return trace;
}

static struct trace *load(struct trace_bytes bytes, struct err *err) {
    ck_assert_msg(bytes.v != NULL, "line %d: %s", (int)err->at, err->text);
    struct trace *trace = load_bytes((struct str){(char *)bytes.v, bytes.n}, NULL);
    free(bytes.v);
    return trace;
}

char *loaded_export(const char *source, size_t n) {
    char *text = NULL;
    size_t size;
    struct trace *trace = load_bytes((struct str){source, n}, importers);
    FILE *f = open_memstream(&text, &size);
    ck_assert(export_ndjson(trace, f));
    fclose(f);
    trace_free(trace);
    return text;
}

unsigned loaded_count(const char *text, const char *part) {
    unsigned n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

struct trace *loaded_text(const char *text) {
    struct err err = {.text = ""};
    return load(tracegen(text, &err), &err);
}

struct trace *loaded_names(int n) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fputs("magic\n", f);
    for (int i = 0; i < n; i++)
        fprintf(f, "complete %d 5/6 \"c\" \"n%d\" end=%d\n", i, i, i + 1);
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}

struct trace *loaded_fixture(const char *name) {
    struct err err = {.text = ""};
    return load(tracegen_load(name, &err), &err);
}
