/* absent_names.c - looks up the addresses of all backtraces, as for samples, and keeps the answers
 * of the source.
 *
 * Numbers of modules and functions are above those of other blobs: these mean what they meant. */
#include "src/import/profiles/absent_names.h"

#include <inttypes.h>
#include <stdio.h>

#include "src/fxt/reader.h"
#include "src/import/profiles/backtraces.h"

#define FIRST UINT64_C(1000000000000) /* number of a module or function */
#define BLOB 24000                    /* bytes of one, unless a line has more */
#define LINE 8192                     /* bytes of one at most */
#define NAME 2000                     /* bytes of a name or a file at most */

struct seeking {
    struct absent_names *names;
    const struct symbols_source *source, own;
    struct file *file;
    struct reader *reader;
    VEC(struct backtraces *) parts; /* NULL: no record of a profiler so far */
    struct map keys;                /* of texts, whose place is the number */
    VEC(char *) texts;
};

/* ---- lines ---- */

static void add_line(struct absent_names *to, const char *line, size_t n) {
    static const char version[] = "symbols\t1\n";
    size_t begin = to->ends.n > 1 ? to->ends.v[to->ends.n - 2] : 0;
    bool more = to->ends.n == 0 || to->text.n - begin + n > BLOB;
    if (more)
        vec_push(&to->ends, to->text.n);
    const struct str parts[] = {{version, more ? sizeof version - 1 : 0}, {line, n}};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < parts[i].n; k++)
            vec_push(&to->text, parts[i].s[k]);
    to->ends.v[to->ends.n - 1] = to->text.n;
}

static bool same_text(const void *ctx, uint32_t i) {
    const void *const *v = ctx;
    const struct seeking *s = v[0];
    return str_eq(str_of(s->texts.v[i]), *(const struct str *)v[1]);
}

/* The number of a module or a function: that of the line that it has, which begins with `letter`.
 * The line is added if it is new. */
static uint64_t number_of(struct seeking *s, char letter, struct str first, struct str second) {
    char text[2 * NAME + 8], line[2 * NAME + 40];
    int n = snprintf(text, sizeof text, "%c\t%.*s\t%.*s", letter, (int)first.n, first.s,
                     (int)second.n, second.s);
    for (int i = 2; i < n; i++) /* names of modules are as the trace has them */
        if (text[i] == '\n')
            text[i] = ' ';
    struct str key = {text, (size_t)n};
    const void *wanted[] = {s, &key};
    uint32_t i =
        map_intern(&s->keys, hash_bytes(key.s, key.n), same_text, wanted, (uint32_t)s->texts.n);
    if (i == s->texts.n) {
        vec_push(&s->texts, err_copy(key.s, key.n));
        n = snprintf(line, sizeof line, "%c\t%" PRIu64 "%s\n", letter, FIRST + i, text + 1);
        add_line(s->names, line, (size_t)n);
    }
    return FIRST + i;
}

static struct str head(struct str s) {
    return (struct str){s.s, s.n < NAME ? s.n : NAME};
}

/* Asks the source, and keeps what it knows. */
static struct str find(void *ctx, struct str build_id, struct str name, uint64_t address) {
    struct seeking *s = ctx;
    struct str answer = s->source->find(s->source->ctx, build_id, name, address), rest = answer;
    char line[LINE];
    size_t used = 0, most = sizeof line - 64;
    if (answer.n == 0 || build_id.n == 0)
        return answer;
    uint64_t module = number_of(s, 'm', head(build_id), head(name));
    used = (size_t)snprintf(line, sizeof line, "a\t%" PRIu64 "\t%" PRIx64, module, address);
    while (rest.n > 0 && used < most) {
        struct str function = head(symbols_cut(&rest, '\t')), in = head(symbols_cut(&rest, '\t')),
                   number = symbols_cut(&rest, '\t');
        if (function.n == 0 || number.n > 10)
            break;
        used += (size_t)snprintf(line + used, sizeof line - used, "\t%" PRIu64 ":%.*s",
                                 number_of(s, 'f', function, in), (int)number.n, number.s);
    }
    line[used++] = '\n';
    add_line(s->names, line, used);
    s->names->found++;
    return answer;
}

/* ---- records ---- */

static void ignore_fault(void *ctx, enum import_fault kind, uint64_t offset, const char *sentence) {
    (void)ctx;
    (void)kind;
    (void)offset;
    (void)sentence;
}

static struct backtraces *part_now(struct seeking *s) {
    size_t part = reader_part_now(s->reader);
    while (s->parts.n <= part)
        vec_push(&s->parts, NULL);
    if (s->parts.v[part] == NULL) {
        s->parts.v[part] = backtraces_new((struct backtraces_faults){NULL, ignore_fault}, part);
        backtraces_source(s->parts.v[part], &s->own);
    }
    return s->parts.v[part];
}

static void take(void *ctx, const struct item *item) {
    struct seeking *s = ctx;
    const struct fxt_record *r = item->record;
    bool profiles = r->kind == FXT_K_MODULE || r->kind == FXT_K_MMAP || r->kind == FXT_K_BACKTRACE;
    if ((!profiles && r->kind != FXT_K_BLOB) || file_derived_at(s->file, item->offset))
        return;
    char buf[24];
    struct str name = profiles ? STR("") : reader_string_now(s->reader, &r->name, buf);
    if (!profiles && (r->blob.type != FXT_BLOB_DATA || !backtraces_wants_blob(name)))
        return;
    struct thread_id id = {.pid = r->thread.pid, .tid = r->thread.tid};
    if (profiles && item->thread != NO_THREAD)
        id = *threads_id(reader_threads(s->reader), item->thread);
    if (id.form == THREAD_UNDEFINED)
        id.tid = id.index;
    struct backtraces *b = part_now(s);
    const struct backtraces_sample sample = {.offset = item->offset,
                                             .ts = r->ts & INT64_MAX,
                                             .pid = id.pid,
                                             .tid = id.tid,
                                             .thread = STR("")};
    if (r->kind == FXT_K_MODULE)
        backtraces_module(b, item->offset, id.pid, r);
    else if (r->kind == FXT_K_MMAP)
        backtraces_mmap(b, item->offset, id.pid, r);
    else if (r->kind == FXT_K_BLOB)
        backtraces_blob(b, item->offset, name, r->payload);
    else
        backtraces_add(b, &sample, r);
    backtraces_take(b); /* no one reads the samples */
}

void absent_names_find(struct absent_names *names, struct file *file,
                       const struct symbols_source *source) {
    struct seeking s = {.names = names, .source = source, .own = {&s, find}, .file = file};
    struct sink sink = {&s, NULL, NULL, take, reader_ignore_problem, NULL};
    enum reader_state state = READER_MORE;
    s.reader = reader_new(file, &sink);
    while (state != READER_END && state != READER_ALIEN) {
        if (state == READER_WAIT)
            file_step(file, 1u << 20, -1);
        state = reader_step(s.reader, 1u << 20);
    }
    reader_free(s.reader);
    for (size_t i = 0; i < s.parts.n; i++)
        backtraces_free(s.parts.v[i]);
    for (size_t i = 0; i < s.texts.n; i++)
        free(s.texts.v[i]);
    vec_free(&s.parts);
    vec_free(&s.texts);
    map_free(&s.keys);
}

struct str absent_names_blob(const struct absent_names *names, size_t n) {
    size_t begin = n > 0 ? names->ends.v[n - 1] : 0;
    if (n >= names->ends.n)
        return STR("");
    return (struct str){names->text.v + begin, names->ends.v[n] - begin};
}

void absent_names_free(struct absent_names *names) {
    vec_free(&names->text);
    vec_free(&names->ends);
}
