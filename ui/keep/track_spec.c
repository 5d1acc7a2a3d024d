/* track_spec.c - writes tracks as text, and finds the track of a text by writing the tracks of its
 * kind. */
#include "ui/keep/track_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/store/row_track.h"
#include "ui/timeline/track_ops.h"

static void add_name(struct chars *out, struct str name) {
    for (size_t i = 0; i < name.n; i++) {
        char buf[8];
        unsigned char c = (unsigned char)name.s[i];
        if (c == '\\' || c < 0x20 || c > 0x7e)
            snprintf(buf, sizeof buf, "\\x%02x", c);
        else
            snprintf(buf, sizeof buf, "%c", c);
        chars_add(out, str_of(buf));
    }
}

static uint64_t pid_of(const struct trace *trace, uint32_t process) {
    return process < trace_process_count(trace) ? trace_process(trace, process)->pid : 0;
}

/* "@server": the host of an id, if there are several. */
static void add_host(const struct trace *trace, uint16_t world, struct chars *out) {
    char host[96];
    if (trace_hosts(trace) < 2)
        return;
    size_t n = trace_host_name(trace, world, host, sizeof host);
    chars_add(out, STR("@"));
    add_name(out, (struct str){host, n});
}

static void add_thread(const struct trace *trace, uint32_t of, struct chars *out) {
    const struct thread *t = trace_thread(trace, of);
    char buf[64];
    if (t->id.form == THREAD_UNDEFINED)
        snprintf(buf, sizeof buf, "thread #%" PRIu32, of);
    else
        snprintf(buf, sizeof buf, "thread %" PRIu64 "/%" PRIu64, pid_of(trace, t->process),
                 t->id.tid);
    chars_add(out, str_of(buf));
    add_host(trace, t->id.world, out);
}

/* The host of a process; of events without one: the first. */
static uint16_t world_of(const struct trace *trace, uint32_t process) {
    return process < trace_process_count(trace) ? trace_process(trace, process)->world : 0;
}

bool track_spec_write(struct trace *trace, const struct track_ops *kind, uint32_t of,
                      uint32_t process, struct chars *out) {
    char buf[96];
    struct track track = {.kind = kind, .of = of, .process = process};
    if (kind->count && !kind->single && of >= kind->count(trace))
        return false; /* a reloaded trace is not yet read so far */
    if (kind == &track_thread) {
        add_thread(trace, of, out);
        return true;
    }
    if (kind == &track_process && process < trace_process_count(trace)) {
        snprintf(buf, sizeof buf, "process %" PRIu64, pid_of(trace, process));
        chars_add(out, str_of(buf));
        add_host(trace, world_of(trace, process), out);
        return true;
    } else if (kind == &track_process) {
        snprintf(buf, sizeof buf, "process -"); /* events of no process */
    } else if (kind == &track_async || kind == &track_counter) {
        uint32_t owner = kind->process(trace, of);
        snprintf(buf, sizeof buf, "%s %" PRIu64, kind == &track_async ? "async" : "counter",
                 pid_of(trace, owner));
        chars_add(out, str_of(buf));
        add_host(trace, world_of(trace, owner), out);
        chars_add(out, STR(" "));
        add_name(out, track_list_name(trace, &track, buf));
        return true;
    } else if (kind == &track_cpu) {
        const struct sched_cpu *cpu = sched_cpu(trace_sched(trace), of);
        snprintf(buf, sizeof buf, "cpu %" PRIu32, cpu->number);
        chars_add(out, str_of(buf));
        add_host(trace, cpu->world, out);
        return true;
    } else if (kind == &track_rows) {
        if (row_tracks_at(trace_row_tracks(trace), of) == NULL)
            return false;
        chars_add(out, STR("rows "));
        add_name(out, track_list_name(trace, &track, buf));
        return true;
    } else if (kind == &track_cpus) {
        snprintf(buf, sizeof buf, "cpus");
    } else if (kind == &track_trace) {
        chars_add(out, STR("trace "));
        add_name(out, track_list_name(trace, &track, buf));
        return true;
    } else if (kind == &track_log) {
        snprintf(buf, sizeof buf, "log");
    } else if (kind == &track_profile) {
        snprintf(buf, sizeof buf, "profile");
    } else {
        return false;
    }
    chars_add(out, str_of(buf));
    return true;
}

/* Whether a track of the kind is written as that text. */
static bool is_written(struct trace *trace, const struct track *track, const char *text,
                       struct chars *scratch) {
    scratch->n = 0;
    return track_spec_write(trace, track->kind, track->of, track->process, scratch) &&
           scratch->n == strlen(text) && memcmp(scratch->v, text, scratch->n) == 0;
}

bool track_spec_find(struct trace *trace, const char *text, struct track *track) {
    static const struct {
        const char *word;
        const struct track_ops *kind;
    } words[] = {{"thread ", &track_thread}, {"process ", &track_process},
                 {"async ", &track_async},   {"counter ", &track_counter},
                 {"cpu ", &track_cpu},       {"cpus", &track_cpus},
                 {"log", &track_log},        {"profile", &track_profile},
                 {"trace ", &track_trace},   {"rows ", &track_rows}};
    struct chars scratch = {0};
    bool found = strcmp(text, "process -") == 0;
    if (found)
        *track = (struct track){.kind = &track_process, .process = NO_PROCESS};
    for (size_t k = 0; k < sizeof words / sizeof *words && !found; k++) {
        if (strncmp(text, words[k].word, strlen(words[k].word)) != 0)
            continue;
        bool header = words[k].kind == &track_process;
        uint32_t n = 1;
        if (header)
            n = (uint32_t)trace_process_count(trace);
        else if (words[k].kind == &track_trace)
            n = trace_files(trace) > 1 ? trace_hosts(trace) : 0;
        else if (words[k].kind->count)
            n = words[k].kind->count(trace);
        for (uint32_t i = 0; i < n && !found; i++) {
            *track =
                (struct track){.kind = words[k].kind, .of = i, .process = header ? i : LIST_CPUS};
            if (words[k].kind == &track_trace)
                track->process = track_known_host(i);
            if (words[k].kind == &track_rows)
                track->process = NO_PROCESS;
            if (!header && words[k].kind->process)
                track->process = words[k].kind->process(trace, i);
            found = is_written(trace, track, text, &scratch);
        }
    }
    vec_free(&scratch);
    return found;
}
