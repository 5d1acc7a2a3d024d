/* speedscope.c - each profile is a thread: of measured slices, or of samples whose weights are how
 * long each lasts.
 *
 * Frames may follow the profiles, and the unit of a profile its events. So the places of all values
 * are found first. */
#include "src/import/profiles/speedscope.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/import/import_whole.h"
#include "src/import/json/json_read.h"

#define PROCESS 1
#define NO_PLACE UINT64_MAX

struct frame {
    struct json_token name, file;
    uint64_t line;
    uint32_t sampled; /* samples_frame(), + 1 */
};

struct profile {
    uint64_t events, samples, weights, start, end; /* places of its values */
    struct json_token name, type, unit;
};

struct speedscope {
    struct import_whole whole;
    VEC(struct frame) frames;
    VEC(uint64_t) places; /* of the profiles of the present document */
    size_t next;          /* of these */
    uint64_t after;       /* the place of the present document */
    bool within;          /* within the events, or samples, of a profile: */
    struct profile now;
    int unit;
    uint64_t tid;
    uint64_t ts;           /* ns: of its last event, or the next sample */
    VEC(uint32_t) open;    /* frames */
    VEC(uint64_t) weights; /* ns */
    size_t sample;         /* the next one */
    VEC(struct samples_frame) stack;
    bool told_unit, told_idle;
    struct json_pull_text text, file;
};

static void fault(struct speedscope *s, uint64_t at, const char *sentence) {
    import_whole_fault(&s->whole, IMPORT_FIELD, at, "%s", sentence);
}

/* ---- frames ---- */

static void read_frames(struct speedscope *s) {
    struct json_pull *pull = &s->whole.pull;
    if (!json_pull_enter(pull, JSON_ARRAY))
        return;
    while (json_pull_next(pull)) {
        struct json_token none = {.text = {"", 0}};
        struct frame frame = {none, none, 0, 0};
        if (json_pull_enter(pull, JSON_OBJECT))
            while (json_pull_next(pull)) {
                if (json_pull_is(pull, "name"))
                    frame.name = pull->token;
                else if (json_pull_is(pull, "file") && pull->token.kind == JSON_STRING)
                    frame.file = pull->token;
                else if (json_pull_is(pull, "line"))
                    json_read_whole(pull->token.text, &frame.line);
            }
        vec_push(&s->frames, frame);
    }
}

/* The number of the frame that the token is; false: there is none. */
static bool frame_of(struct speedscope *s, const struct json_token *token, uint64_t *frame) {
    if (!json_read_whole(token->text, frame) || *frame >= s->frames.n) {
        fault(s, token->at, "a frame that is not there");
        return false;
    }
    return true;
}

/* ---- values ---- */

/* Reads a number of the unit of the profile; false: it is none, or negative. */
static bool number(struct speedscope *s, const struct json_token *token, uint64_t *ns) {
    struct json_time time;
    bool negative;
    if (token->kind != JSON_NUMBER ||
        json_read_unit(token->text, s->unit, &time, &negative) != JSON_READ_TIME || negative)
        return false;
    *ns = json_read_ns(time);
    return true;
}

static bool number_at(struct speedscope *s, uint64_t at, uint64_t *ns) {
    if (at == NO_PLACE)
        return false;
    json_pull_back(&s->whole.pull, at);
    if (number(s, &s->whole.pull.token, ns))
        return true;
    fault(s, at, "a time that cannot be");
    return false;
}

static void find_unit(struct speedscope *s) {
    static const struct {
        const char *name;
        int unit;
    } units[] = {{"nanoseconds", 0}, {"microseconds", 3}, {"milliseconds", 6}, {"seconds", 9}};
    s->unit = 0;
    for (size_t i = 0; i < 4; i++)
        if (str_eq(s->now.unit.text, str_of(units[i].name))) {
            s->unit = units[i].unit;
            return;
        }
    if (!s->told_unit)
        import_whole_fault(&s->whole, IMPORT_IGNORED, s->now.unit.at,
                           "values are no times: each is shown as a nanosecond");
    s->told_unit = true;
}

/* ---- measured slices ---- */

static struct writer_string text_of(struct speedscope *s, const struct json_token *token,
                                    struct json_pull_text *buf) {
    return import_whole_text(&s->whole, json_pull_string(token, buf));
}

static void write_frame(struct speedscope *s, uint64_t frame, bool begins, uint64_t at) {
    struct writer *w = &s->whole.w;
    struct writer_argument args[2];
    struct writer_event e = {.ts = s->ts, .thread = writer_intern_thread(w, PROCESS, s->tid)};
    import_whole_mark(&s->whole, at);
    if (!begins) {
        writer_end(w, &e);
        return;
    }
    const struct frame *f = frame < s->frames.n ? &s->frames.v[frame] : NULL;
    char none[40];
    int n = snprintf(none, sizeof none, "(frame %" PRIu64 ")", frame);
    e.category = writer_intern(w, STR("speedscope"));
    e.name = f ? text_of(s, &f->name, &s->text) : writer_inline((struct str){none, (size_t)n});
    e.args.v = args;
    if (f && f->file.text.n > 0)
        args[e.args.n++] =
            writer_text(writer_intern(w, STR("file")), text_of(s, &f->file, &s->file));
    if (f && f->line > 0 && f->line <= UINT32_MAX)
        args[e.args.n++] = writer_number(FXT_ARG_UINT32, writer_intern(w, STR("line")), f->line);
    writer_begin(w, &e);
}

static void take_event(struct speedscope *s) {
    struct json_pull *pull = &s->whole.pull;
    uint64_t at = pull->token.at, ts = s->ts, frame = UINT64_MAX;
    char type = '\0';
    if (!json_pull_enter(pull, JSON_OBJECT)) {
        fault(s, at, "an event that is no object");
        return;
    }
    while (json_pull_next(pull)) {
        const struct json_token *token = &pull->token;
        if (json_pull_is(pull, "type") && token->kind == JSON_STRING && token->text.n == 1)
            type = token->text.s[0];
        else if (json_pull_is(pull, "frame"))
            frame_of(s, token, &frame);
        else if (json_pull_is(pull, "at") && !number(s, token, &ts))
            fault(s, token->at, "a time that cannot be: at that of the one before");
    }
    if (pull->fault) /* it is not whole */
        return;
    if (ts < s->ts)
        fault(s, at, "an event earlier than the one before it: at that time");
    else
        s->ts = ts;
    bool innermost = s->open.n > 0 && s->open.v[s->open.n - 1] == (uint32_t)frame;
    if (type == 'O') {
        write_frame(s, frame, true, at);
        vec_push(&s->open, (uint32_t)frame);
    } else if (type != 'C') {
        import_whole_fault(&s->whole, IMPORT_UNKNOWN, at, "an event that is neither O nor C");
    } else {
        if (!innermost)
            fault(s, at,
                  s->open.n > 0 ? "another frame than the innermost one ends"
                                : "a frame ends that has not begun");
        if (s->open.n > 0) {
            write_frame(s, frame, false, at);
            s->open.n--;
        }
    }
}

static void end_events(struct speedscope *s) {
    uint64_t end;
    if (number_at(s, s->now.end, &end) && end > s->ts)
        s->ts = end;
    for (; s->open.n > 0; s->open.n--)
        write_frame(s, 0, false, s->places.v[s->next - 1]);
}

/* ---- samples ---- */

static void read_weights(struct speedscope *s) {
    struct json_pull *pull = &s->whole.pull;
    s->weights.n = s->sample = 0;
    if (s->now.weights == NO_PLACE)
        return;
    json_pull_back(pull, s->now.weights);
    if (!json_pull_enter(pull, JSON_ARRAY))
        return;
    while (json_pull_next(pull)) {
        uint64_t ns = 0;
        if (!number(s, &pull->token, &ns))
            fault(s, pull->token.at, "a weight that cannot be: 0");
        vec_push(&s->weights, ns);
    }
}

/* The weight of the next sample; without one it is 1. */
static uint64_t next_weight(struct speedscope *s, uint64_t at) {
    struct json_time one;
    bool negative;
    if (s->sample < s->weights.n)
        return s->weights.v[s->sample++];
    if (s->sample++ == s->weights.n)
        fault(s, at, "samples without weights: 1");
    json_read_unit(STR("1"), s->unit, &one, &negative);
    return one.ns;
}

static void take_sample(struct speedscope *s) {
    struct json_pull *pull = &s->whole.pull;
    struct samples_sample sample = {
        .ts = s->ts, .pid = PROCESS, .tid = s->tid, .cpu = -1, .source = {pull->token.at, 0, 0}};
    s->stack.n = 0;
    if (!json_pull_enter(pull, JSON_ARRAY))
        fault(s, pull->token.at, "a sample that is no list of frames");
    else
        while (json_pull_next(pull)) {
            uint64_t i;
            struct samples_frame one = {0, 0};
            char none[40];
            if (!frame_of(s, &pull->token, &i)) {
                int n = snprintf(none, sizeof none, "(frame %.*s)", str_head(pull->token.text, 20),
                                 pull->token.text.s);
                one.id = samples_frame(s->whole.samples, &sample.source,
                                       (struct str){none, (size_t)n}, STR(""), STR(""));
            } else {
                struct frame *f = &s->frames.v[i];
                if (f->sampled == 0)
                    f->sampled = samples_frame(s->whole.samples, &sample.source,
                                               json_pull_string(&f->name, &s->text),
                                               json_pull_string(&f->file, &s->file), STR("")) +
                                 1;
                one.id = f->sampled - 1;
                one.line = f->line <= UINT32_MAX ? (uint32_t)f->line : 0;
            }
            vec_push(&s->stack, one);
        }
    if (pull->fault) /* it is not whole */
        return;
    sample.frames = s->stack.v;
    sample.n = s->stack.n;
    sample.weight = next_weight(s, sample.source.byte);
    samples_add(s->whole.samples, &sample);
    if (sample.weight > INT64_MAX - s->ts)
        fault(s, sample.source.byte, "a weight beyond 2^63-1 ns: 0");
    else
        s->ts += sample.weight;
}

/* ---- profiles ---- */

static bool is(const struct json_token *token, const char *text) {
    return str_eq(token->text, str_of(text));
}

static void find_values(struct speedscope *s, uint64_t at) {
    struct json_pull *pull = &s->whole.pull;
    struct json_token none = {.at = at, .text = {"", 0}};
    s->now = (struct profile){NO_PLACE, NO_PLACE, NO_PLACE, NO_PLACE, NO_PLACE, none, none, none};
    json_pull_back(pull, at);
    if (!json_pull_enter(pull, JSON_OBJECT))
        return;
    while (json_pull_next(pull)) {
        static const char *const keys[] = {"events", "samples", "weights", "startValue",
                                           "endValue"};
        uint64_t *const places[] = {&s->now.events, &s->now.samples, &s->now.weights, &s->now.start,
                                    &s->now.end};
        for (size_t i = 0; i < 5; i++)
            if (json_pull_is(pull, keys[i]))
                *places[i] = pull->token.at;
        if (json_pull_is(pull, "name"))
            s->now.name = pull->token;
        else if (json_pull_is(pull, "type"))
            s->now.type = pull->token;
        else if (json_pull_is(pull, "unit"))
            s->now.unit = pull->token;
    }
}

/* Goes to the first value of the next profile. */
static void begin_profile(struct speedscope *s) {
    struct json_pull *pull = &s->whole.pull;
    uint64_t at = s->places.v[s->next++];
    find_values(s, at);
    bool evented = is(&s->now.type, "evented"), sampled = is(&s->now.type, "sampled");
    if (!evented && !sampled) {
        import_whole_fault(&s->whole, IMPORT_UNKNOWN, at,
                           "a profile that is neither evented nor sampled");
        return;
    }
    s->tid++;
    if (s->now.name.text.n > 0)
        import_whole_thread(&s->whole, PROCESS, s->tid, json_pull_string(&s->now.name, &s->text));
    find_unit(s);
    s->ts = 0;
    number_at(s, s->now.start, &s->ts);
    if (sampled)
        read_weights(s);
    uint64_t values = evented ? s->now.events : s->now.samples;
    if (values == NO_PLACE) {
        fault(s, at, evented ? "a profile without events" : "a profile without samples");
        return;
    }
    json_pull_back(pull, values);
    s->within = json_pull_enter(pull, JSON_ARRAY);
}

static void end_profile(struct speedscope *s) {
    struct import_place place = {.byte = s->places.v[s->next - 1]};
    if (is(&s->now.type, "evented"))
        end_events(s);
    else
        samples_off(s->whole.samples, s->ts, PROCESS, s->tid, &place);
    s->within = false;
}

/* Reads the next document but for its profiles. False: there is none. */
static bool read_document(struct speedscope *s) {
    struct json_pull *pull = &s->whole.pull;
    struct json_token name = {.text = {"", 0}};
    s->frames.n = s->places.n = s->next = 0;
    if (s->after != NO_PLACE)
        json_pull_back(pull, s->after);
    if (!import_whole_document(&s->whole))
        return false;
    s->after = pull->token.at;
    while (json_pull_next(pull)) {
        if (json_pull_is(pull, "name"))
            name = pull->token;
        else if (json_pull_is(pull, "exporter") && !s->told_idle && pull->token.text.n >= 6 &&
                 memcmp(pull->token.text.s, "py-spy", 6) == 0) {
            import_whole_fault(&s->whole, IMPORT_IGNORED, pull->token.at,
                               "py-spy leaves out idle time: threads have no common time");
            s->told_idle = true;
        } else if (json_pull_is(pull, "shared") && json_pull_enter(pull, JSON_OBJECT)) {
            while (json_pull_next(pull))
                if (json_pull_is(pull, "frames"))
                    read_frames(s);
        } else if (json_pull_is(pull, "profiles") && json_pull_enter(pull, JSON_ARRAY)) {
            while (json_pull_next(pull))
                vec_push(&s->places, pull->token.at);
        }
    }
    if (name.text.n > 0)
        import_whole_process(&s->whole, PROCESS, json_pull_string(&name, &s->text));
    return true;
}

/* Writes some records. False: all are written. */
static bool write_some(struct speedscope *s) {
    while (!import_whole_full(&s->whole)) {
        if (s->within && json_pull_next(&s->whole.pull)) {
            if (is(&s->now.type, "evented"))
                take_event(s);
            else
                take_sample(s);
        } else if (s->within) {
            end_profile(s);
        } else if (s->next < s->places.n) {
            begin_profile(s);
        } else if (!read_document(s)) {
            samples_end(s->whole.samples, 0);
            return false;
        }
    }
    return true;
}

/* ---- the importer ---- */

static void *start(void) {
    struct speedscope *s = err_calloc(1, sizeof *s);
    import_whole_init(&s->whole);
    samples_period(s->whole.samples, 0, SAMPLES_NO_GAPS);
    s->after = NO_PLACE;
    return s;
}

static void step(void *import, struct str bytes, bool last, struct import_news *news) {
    struct speedscope *s = import;
    bool more = import_whole_take(&s->whole, bytes, last) && !s->whole.done;
    if (more)
        s->whole.done = !(more = write_some(s));
    *news = import_whole_news(&s->whole, more);
}

static void stop(void *import) {
    struct speedscope *s = import;
    import_whole_free(&s->whole);
    vec_free(&s->frames);
    vec_free(&s->places);
    vec_free(&s->open);
    vec_free(&s->weights);
    vec_free(&s->stack);
    vec_free(&s->text.v);
    vec_free(&s->file.v);
    free(s);
}

static void hurry(void *import) {
    import_whole_hurry(&((struct speedscope *)import)->whole);
}

const struct importer speedscope = {"speedscope", NULL, start, step, stop, hurry};
