/* thrown_sched.c - writes the text of a trace: each CPU switches from its thread to one that runs
 * nowhere. */
#include "tests/unit/lib/thrown_sched.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lib/loaded.h"

#define CPUS 3
#define THREADS 4

struct trace *thrown_sched(struct chance *chance, unsigned events) {
    static const unsigned states[] = {1, 3, 3, 3, 2, 5};
    char *text = NULL;
    size_t size = 0;
    unsigned on[CPUS] = {0}, t = 1; /* thread of a CPU; 0: idle */
    FILE *f = open_memstream(&text, &size);
    fputs("magic\nprovider 1 \"p\"\ninit 1000000000\n", f);
    for (unsigned k = 0; k < THREADS; k++)
        fprintf(f, "kernel_object 2 %u \"t%u\" process=koid:1\n", 10 + k, k);
    for (unsigned i = 0; i < events; i++, t += (unsigned)below(chance, 20)) {
        unsigned cpu = (unsigned)below(chance, CPUS),
                 thread = 10 + (unsigned)below(chance, THREADS), k = 0;
        while (k < CPUS && on[k] != thread)
            k++;
        switch (below(chance, 5)) {
        case 0:
            fprintf(f, "complete %u 1/%u \"c\" \"n%u\" end=%u\n", t, thread,
                    (unsigned)below(chance, 3), t + (unsigned)below(chance, 40));
            break;
        case 1:
            if (k == CPUS)
                fprintf(f, "wakeup %u %u %u waker=koid:%u\n", t, cpu, thread,
                        10 + (unsigned)below(chance, THREADS));
            break;
        default:
            if (k < CPUS) { /* it runs: out with it */
                cpu = k;
                thread = 0;
            }
            fprintf(f, "switch %u %u %u %u %u\n", t, cpu, on[cpu], states[below(chance, 6)],
                    thread);
            on[cpu] = thread;
            break;
        }
    }
    fclose(f);
    struct trace *trace = loaded_text(text);
    free(text);
    return trace;
}
