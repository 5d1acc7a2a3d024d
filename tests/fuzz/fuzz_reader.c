/* fuzz_reader.c - any bytes as a trace: opened, read, nested, exported, and held against
 * tests/lib/sound.h. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "model/output/check.h"
#include "model/output/ndjson.h"
#include "model/output/report.h"
#include "model/trace/trace_problems.h"
#include "tests/fuzz/fuzz.h"
#include "tests/lib/sound.h"

void fuzz_reader(const uint8_t *data, size_t size) {
    static FILE *nowhere;
    struct trace_options options = {.file.max_inflate = 1 << 20};
    struct err err = {.text = ""};
    char path[40], why[200];
    if (nowhere == NULL && (nowhere = fopen("/dev/null", "w")) == NULL)
        fuzz_unsound("no /dev/null");
    int fd = fuzz_hold(data, size, path);
    struct trace *trace = trace_open(path, &options, &err);
    if (trace != NULL) {
        uint64_t steps = UINT64_C(0x9e3779b97f4a7c15) * (size + 1);
        trace_load(trace);
        trace_problem_count(trace, true);
        if (trace_bytes(trace) > 262144 + 256 * (uint64_t)size)
            fuzz_unsound("%" PRIu64 " bytes are kept of %zu", trace_bytes(trace), size);
        if (!sound_rows(trace, why) || !sound_nesting(trace, steps, why) ||
            !sound_dissection(trace, why) || !sound_derived(trace, why) ||
            !sound_steps(trace, path, &options, steps, why))
            fuzz_unsound("%s", why);
        bool written = true;
        /* one of them is enough for each: what sound_steps() exports is the fourth */
        switch (size % 4) {
        case 0:
            written = export_json(trace, nowhere);
            break;
        case 1:
            written = export_csv(trace, nowhere);
            break;
        case 2:
            report_summary(trace, nowhere, size & 4);
            check_print(trace, &(struct check_style){.strict = size & 4}, nowhere);
            break;
        default:
            written = report_records(path, &options, nowhere, size & 4, &err);
            break;
        }
        if (!written)
            fuzz_unsound("it was read, but could not be written");
        trace_free(trace);
    } else if (err.text[0] == '\0') {
        fuzz_unsound("not opened, and no reason given");
    }
    close(fd);
}
