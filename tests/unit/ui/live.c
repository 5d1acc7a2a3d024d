/* live.c - see live.h.
 *
 * The trace is written from text in the words of tests/lib/tracegen.h. The trace, the application
 * and the file are one of each, and a test ends with live_stop(). */
#include "tests/unit/ui/live.h"
#include "tests/unit/lib/libcheck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/tracegen.h"

char live_path[SCRATCH_PATH];
struct app live_app;
struct trace *live_trace;

void live_put(const char *how, const char *text) {
    struct err err;
    struct trace_bytes bytes = tracegen(text, &err);
    ck_assert_msg(bytes.v != NULL, "%s", err.text);
    FILE *f = fopen(live_path, how);
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes.v, 1, bytes.n, f), bytes.n);
    ck_assert_int_eq(fclose(f), 0);
    free(bytes.v);
}

/* A trace of `n` slices of 1 us, one each 10 us, on each of two threads. */
void live_calls(const char *how, int from, int to) {
    static char text[400000];
    size_t n = 0;
    if (from == 0)
        n += (size_t)snprintf(text, sizeof text,
                              "magic\ninit 1000000000\nthread 1 7 8\nthread 2 7 9\n");
    for (int i = from; i < to; i++)
        for (int t = 1; t <= 2; t++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "complete %d t%d \"c\" \"call %d\" end=%d\n", i * 10000, t, i,
                                  i * 10000 + 1000);
    live_put(how, text);
}

void live_keys(const char *text) {
    struct key key;
    while (key_parse(&text, &key))
        app_key(&live_app, &key);
}

void live_start(bool follow) {
    struct trace_options options = {.follow = follow};
    struct err err;
    ck_assert(scratch_write(live_path, "reload", "", 0));
    live_calls("wb", 0, 500);
    live_trace = trace_open(live_path, &options, &err);
    ck_assert_ptr_nonnull(live_trace);
    while (trace_step(live_trace, 1 << 20) == TRACE_LOADING)
        ;
    app_init(&live_app, live_trace, 100, 30, true);
}

/* Nothing of the trace is read so far. */
void live_begin(const char *text) {
    struct err err;
    ck_assert(scratch_write(live_path, "reload", "", 0));
    live_put("wb", text);
    live_trace = trace_open(live_path, &(struct trace_options){0}, &err);
    ck_assert_ptr_nonnull(live_trace);
    app_init(&live_app, live_trace, 100, 30, true);
}

void live_stop(void) {
    app_free(&live_app);
    trace_free(live_trace);
    unlink(live_path);
}

/* As the loop of the screen does. */
void live_read_on(void) {
    for (int i = 0; i < 5000 && (trace_state(live_trace) == TRACE_LOADING ||
                                 trace_unflushed(live_trace) || i < 3);
         i++) {
        trace_step(live_trace, 4096);
        app_update(&live_app);
        app_draw(&live_app);
    }
}

bool live_shows(const char *text) {
    char line[101];
    app_draw(&live_app);
    for (int y = 0; y < live_app.grid.rows; y++) {
        for (int x = 0; x < 100; x++)
            line[x] = (char)grid_at(&live_app.grid, x, y)->cp[0];
        line[100] = 0;
        if (strstr(line, text))
            return true;
    }
    return false;
}
