/* trace.c - a program that traces itself: two threads, durations, a counter, a flow from one to the other.
 *
 *     cc $(pkg-config --cflags fxttrace) trace.c $(pkg-config --libs fxttrace) -o trace
 *     fxtop record ./trace
 *     fxtop trace.fxt */
#include <lib/trace/event.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void work(long us) {
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

static void render(int frame) {
    TRACE_DURATION("app", "Render", "frame", TA_INT32(frame));
    TRACE_FLOW_END("app", "frame", (uint64_t)frame);
    work(300);
}

static void *renderer(void *unused) {
    for (int frame = 0; frame < 20; frame++)
        render(frame);
    return unused;
}

static void layout(int frame, const char *page) {
    TRACE_DURATION("app", "Layout", "page", TA_STRING(page));
    work(100);
    TRACE_FLOW_BEGIN("app", "frame", (uint64_t)frame);
}

int main(void) {
    pthread_t thread;
    for (int frame = 0; frame < 20; frame++) {
        char page[32];
        TRACE_DURATION("app", "Frame");
        snprintf(page, sizeof page, "page %d", frame);
        layout(frame, page);
        TRACE_COUNTER("app", "memory", 0, "kilobytes", TA_INT64(1000 + 37 * (frame % 5)));
    }
    pthread_create(&thread, NULL, renderer, NULL);
    pthread_join(thread, NULL);
    TRACE_INSTANT("app", "done", TRACE_SCOPE_PROCESS);
    return 0;
}
