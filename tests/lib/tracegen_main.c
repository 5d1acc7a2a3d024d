/* tracegen_main.c - mktrace IN.txt OUT.fxt: writes a fixture (tests/lib/tracegen.h) as a trace
 * file. "-" is standard input or output. */
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

int main(int argc, char **argv) {
    struct err err;
    if (argc != 3)
        return fail("usage", "mktrace IN.txt OUT.fxt");
    FILE *in = strcmp(argv[1], "-") == 0 ? stdin : fopen(argv[1], "r");
    if (in == NULL)
        return fail(argv[1], strerror(errno));
    char *text = read_all(in);
    struct trace_bytes trace = tracegen(text, &err);
    free(text);
    fclose(in);
    if (trace.v == NULL)
        return fail(argv[1], err.text);
    FILE *out = strcmp(argv[2], "-") == 0 ? stdout : fopen(argv[2], "wb");
    if (out == NULL || fwrite(trace.v, 1, trace.n, out) != trace.n || fclose(out) != 0)
        return fail(argv[2], strerror(errno));
    free(trace.v);
    return 0;
}
