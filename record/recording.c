/* recording.c - fxtop record: from the command line to the exit status. */
#include "record/recording.h"

#include <inttypes.h>
#include <stdio.h>

#include "record/recording_options.h"
#include "record/recover.h"
#include "src/base/text.h"
#include "src/base/units.h"

#define FAILED 125 /* as timeout(1) and nohup(1) do */

static int complain(bool ascii, const char *path, const struct err *err) {
    char safe[300];
    text_plain(safe, sizeof safe, str_of(path ? path : ""), ascii ? TEXT_ASCII : 0);
    fprintf(stderr, "fxtop record: %s%s%s\n", safe, path ? ": " : "", err->text);
    return FAILED;
}

static int run_recover(const struct recording_options *o, bool ascii) {
    struct recovered recovered;
    const char *wrong = NULL;
    struct err err;
    char safe[300], records[32], bytes[32];
    if (!recover(o->rest, o->nrest, o->output, &recovered, &wrong, &err))
        return complain(ascii, wrong, &err);
    text_plain(safe, sizeof safe, str_of(o->output), ascii ? TEXT_ASCII : 0);
    fprintf(stderr, "%s: %d buffer%s, %s records, %s, %s dropped; look at it with: fxtop %s\n", safe, o->nrest,
            o->nrest == 1 ? "" : "s", units_count(recovered.records, true, records),
            units_bytes(recovered.bytes, bytes), recovered.dropped > 0 ? "some" : "none", safe);
    if (recovered.dropped > 0)
        fprintf(stderr, "%" PRIu64 " records had been dropped by the provider\n", recovered.dropped);
    if (recovered.faults > 0)
        fprintf(stderr, "%" PRIu64 " places were damaged: what follows them in their chunk or half is lost\n",
                recovered.faults);
    return 0;
}

int recording_main(int argc, char **argv, bool ascii) {
    struct recording_options o;
    struct err err;
    if (!recording_options_parse(&o, argc, argv, ascii, &err))
        return complain(ascii, NULL, &err);
    if (o.help) {
        recording_options_help(stdout);
        return fflush(stdout) == 0 ? 0 : FAILED;
    }
    return run_recover(&o, ascii);
}
