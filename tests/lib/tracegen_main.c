/* tracegen_main.c - mktrace IN.txt OUT.fxt ...: writes each fixture (tests/lib/tracegen.h) as a
 * trace file. "-" is standard input or output. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/vec.h"
#include "tests/lib/tracegen.h"

static char *read_all(FILE *f) {
    VEC(char) text = {0};
    size_t n;
    do {
        vec_reserve(&text, text.n + 65536);
        n = fread(text.v + text.n, 1, text.cap - text.n - 1, f);
        text.n += n;
    } while (n > 0);
    text.v[text.n] = '\0';
    return text.v;
}

static int fail(const char *what, const char *why) {
    fprintf(stderr, "mktrace: %s: %s\n", what, why);
    return 2;
}

static int write_trace(const char *from, const char *to) {
    struct err err;
    FILE *in = strcmp(from, "-") == 0 ? stdin : fopen(from, "r");
    if (in == NULL)
        return fail(from, strerror(errno));
    char *text = read_all(in);
    struct trace_bytes trace = tracegen(text, &err);
    free(text);
    fclose(in);
    if (trace.v == NULL)
        return fail(from, err.text);
    FILE *out = strcmp(to, "-") == 0 ? stdout : fopen(to, "wb");
    if (out == NULL || fwrite(trace.v, 1, trace.n, out) != trace.n || fclose(out) != 0)
        return fail(to, strerror(errno));
    free(trace.v);
    return 0;
}

/* One that is not written does not keep the others from it. */
int main(int argc, char **argv) {
    int status = 0;
    if (argc < 3 || argc % 2 == 0)
        return fail("usage", "mktrace IN.txt OUT.fxt ...");
    for (int i = 1; i < argc; i += 2)
        status |= write_trace(argv[i], argv[i + 1]);
    return status;
}
