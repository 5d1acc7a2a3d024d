/* json_walk.c - walks brackets, and builds the tree of one value at a time.
 *
 * `levels` are the brackets that are walked; `in` are those within a value, whether it becomes a
 * tree or is passed over. `due` is what the grammar expects next.
 *
 * After a fault the reader goes to the next `{` that follows a comma or a line. By its first key
 * it may belong to the top, or to an array around. Else it is an element of the innermost array, if
 * the importer takes it. */
#include "src/import/json/json_walk.h"

#include <stdarg.h>

#include "src/import/chrome/event_write.h"
#include "src/import/json/json_read.h"

#define PIECE 65536 /* bytes that are read at a time */

enum { KEY, COLON, VALUE };

static void note_zero(void *walk, uint64_t at);

void json_walk_init(struct json_walk *walk, const struct json_walk_rule *rules, void *ctx) {
    walk->rules = rules;
    walk->ctx = ctx;
    walk->due = VALUE;
    walk->scan.zero = note_zero;
    walk->scan.zero_ctx = walk;
    writer_init(&walk->w, NULL);
    writer_magic(&walk->w); /* a source that grows is opened once there are words */
}

void json_walk_free(struct json_walk *walk) {
    writer_free(&walk->w);
    json_scan_free(&walk->scan);
    vec_free(&walk->tree);
    vec_free(&walk->text);
    vec_free(&walk->marks);
    vec_free(&walk->cases);
}

struct import_news json_walk_news(struct json_walk *walk) {
    return (struct import_news){.words = writer_take(&walk->w),
                                .marks = walk->marks.v,
                                .nmarks = walk->marks.n,
                                .cases = walk->cases.v,
                                .ncases = walk->cases.n};
}

void json_walk_mark(struct json_walk *walk, struct import_place at) {
    vec_push(&walk->marks, ((struct import_mark){writer_offset(&walk->w), at}));
}

static __attribute__((format(printf, 5, 0))) void add_case(struct json_walk *walk,
                                                           enum import_fault kind,
                                                           struct import_place at, uint64_t line,
                                                           const char *format, va_list args) {
    struct import_case one = {kind, {writer_offset(&walk->w), at}, NULL};
    if (walk->faults++ < IMPORT_WHY)
        one.why = event_write_why(line, at.column + 1, format, args);
    vec_push(&walk->cases, one);
}

void json_walk_fault(struct json_walk *walk, enum import_fault kind, struct import_place at,
                     const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_case(walk, kind, at, at.line + 1, format, args);
    va_end(args);
}

void json_walk_note(struct json_walk *walk, enum import_fault kind, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_case(walk, kind, (struct import_place){0}, 0, format, args);
    va_end(args);
}

static struct import_place place(const struct json_walk *walk, uint64_t at) {
    return walk->faults < IMPORT_WHY ? json_scan_place(&walk->scan, at)
                                     : (struct import_place){at, 0, 0};
}

static void note_zero(void *ctx, uint64_t at) {
    struct json_walk *walk = ctx;
    json_walk_fault(walk, IMPORT_SYNTAX, place(walk, at), JSON_SCAN_ZEROS);
}

/* ---- the tree ---- */

static bool keeps(const struct json_walk *walk) {
    return walk->within && !walk->passed;
}

/* Its place in the texts; without space for it, it is empty. */
static uint32_t keep_text(struct json_walk *walk, struct str text, uint32_t *n) {
    uint32_t at = (uint32_t)walk->text.n;
    *n = 0;
    if (text.n > JSON_WALK_TEXT - walk->text.n) {
        walk->full = true;
        return at;
    }
    vec_reserve(&walk->text, walk->text.n + text.n + 1);
    memcpy(walk->text.v + walk->text.n, text.s, text.n);
    walk->text.n += text.n;
    *n = (uint32_t)text.n;
    return at;
}

static void add_node(struct json_walk *walk, const struct json_token *token) {
    bool bracket = token->kind == JSON_OBJECT || token->kind == JSON_ARRAY;
    struct json_node node = {.kind = token->kind, .escaped = token->escaped};
    if (walk->tree.n >= JSON_WALK_NODES || walk->deeper > 0) {
        walk->full = true;
        return;
    }
    if (walk->depth > 0 && !walk->in[walk->depth - 1].array) {
        node.key = walk->key_at;
        node.nkey = (uint32_t)walk->key_bytes;
    }
    if (!bracket)
        node.text = keep_text(walk, token->text, &node.ntext);
    node.end = (uint32_t)walk->tree.n + 1;
    vec_push(&walk->tree, node);
}

static void unescape(struct json_walk *walk, uint32_t at, uint32_t *n) {
    bool cut = false;
    char *text = walk->text.v + at;
    /* in place: it never becomes longer */
    *n = (uint32_t)json_read_string((struct str){text, *n}, text, *n, &cut);
}

struct str json_walk_text(struct json_walk *walk, uint32_t i) {
    struct json_node *node = &walk->tree.v[i];
    if (node->escaped)
        unescape(walk, node->text, &node->ntext);
    node->escaped = false;
    return (struct str){node->ntext > 0 ? walk->text.v + node->text : "", node->ntext};
}

struct str json_walk_key(struct json_walk *walk, uint32_t i) {
    const struct json_node *node = &walk->tree.v[i];
    return (struct str){node->nkey > 0 ? walk->text.v + node->key : "", node->nkey};
}

uint32_t json_walk_get(const struct json_walk *walk, uint32_t i, const char *key) {
    const struct json_node *v = walk->tree.v;
    uint32_t found = 0;
    size_t n = strlen(key);
    if (v[i].kind == JSON_OBJECT)
        for (uint32_t c = i + 1; c < v[i].end; c = v[c].end)
            if (v[c].nkey == n && memcmp(walk->text.v + v[c].key, key, n) == 0)
                found = c;
    return found;
}

struct print {
    char *to;
    size_t n, most;
};

static void put(struct print *p, const char *s, size_t n) {
    n = n < p->most - p->n ? n : p->most - p->n;
    memcpy(p->to + p->n, s, n);
    p->n += n;
}

static void put_string(struct print *p, const char *s, size_t n, bool escaped) {
    static const char digits[] = "0123456789abcdef";
    put(p, "\"", 1);
    if (escaped)
        put(p, s, n);
    for (size_t i = 0; !escaped && i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        char code[6] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
        if (c == '"' || c == '\\')
            put(p, "\\", 1);
        if (c < ' ')
            put(p, code, 6);
        else
            put(p, s + i, 1);
    }
    put(p, "\"", 1);
}

static void put_scalar(const struct json_walk *walk, const struct json_node *node,
                       struct print *p) {
    const char *text = node->ntext > 0 ? walk->text.v + node->text : "";
    if (node->kind == JSON_STRING || node->kind == JSON_WORD)
        put_string(p, text, node->ntext, node->escaped);
    else
        put(p, text, node->ntext);
}

size_t json_walk_print(const struct json_walk *walk, uint32_t i, char *to, size_t most) {
    struct print p = {to, 0, most};
    const struct json_node *v = walk->tree.v;
    uint32_t open[JSON_WALK_DEPTH + 1];
    size_t depth = 0;
    for (uint32_t c = i; c < v[i].end && p.n < most; c++) {
        bool object = v[c].kind == JSON_OBJECT, bracket = object || v[c].kind == JSON_ARRAY;
        if (c > i && c != open[depth - 1] + 1)
            put(&p, ",", 1);
        if (c > i && v[open[depth - 1]].kind == JSON_OBJECT) {
            put_string(&p, v[c].nkey > 0 ? walk->text.v + v[c].key : "", v[c].nkey, false);
            put(&p, ":", 1);
        }
        if (bracket) {
            put(&p, object ? "{" : "[", 1);
            open[depth++] = c;
        } else {
            put_scalar(walk, &v[c], &p);
        }
        while (depth > 0 && v[open[depth - 1]].end == c + 1)
            put(&p, v[open[--depth]].kind == JSON_OBJECT ? "}" : "]", 1);
    }
    return p.n;
}

/* ---- values ---- */

static const struct json_walk_rule *rule_of(const struct json_walk *walk, int within,
                                            const char *key, size_t n) {
    for (const struct json_walk_rule *r = walk->rules; r->kind > 0; r++)
        if (r->within == within && (r->key == NULL) == (key == NULL) &&
            (key == NULL || (strlen(r->key) == n && memcmp(r->key, key, n) == 0)))
            return r;
    return NULL;
}

/* The level that the next value would be. False: it is passed over. */
static bool is_known(const struct json_walk *walk, struct json_walk_level *as) {
    const struct json_walk_level *around =
        walk->nlevels > 0 ? &walk->levels[walk->nlevels - 1] : NULL;
    if (around && around->array) {
        *as = *around;
        return true;
    }
    const struct json_walk_rule *r = around ? rule_of(walk, around->kind, walk->key, walk->nkey)
                                            : rule_of(walk, JSON_WALK_TOP, NULL, 0);
    *as = (struct json_walk_level){false, r && r->take, r ? r->kind : JSON_WALK_TOP};
    return r != NULL || around == NULL;
}

static void pop(struct json_walk *walk) {
    struct json_walk_level level = walk->levels[--walk->nlevels];
    if (!level.array && walk->end)
        walk->end(walk->ctx, level.kind);
}

/* A value or a bracket has ended: a key or a value is next. */
static void come_after(struct json_walk *walk) {
    bool array = walk->nlevels == 0 || walk->levels[walk->nlevels - 1].array;
    if (walk->depth > 0)
        array = walk->in[walk->depth - 1].array;
    walk->due = array ? VALUE : KEY;
    walk->follows = true;
}

static void end_value(struct json_walk *walk) {
    if (walk->full)
        json_walk_fault(walk, IMPORT_CUT, walk->at,
                        "a value of too many brackets, texts or parts: the rest is left out");
    walk->within = walk->full = false;
    bool taken = walk->passed || walk->take(walk->ctx, walk->kind);
    walk->resuming = walk->resumed && !taken; /* that was a part of the one with a fault */
    walk->resumed = walk->resuming;
    walk->tree.n = walk->text.n = 0;
    come_after(walk);
}

static void open_within(struct json_walk *walk, const struct json_token *token) {
    bool array = token->kind == JSON_ARRAY;
    if (keeps(walk))
        add_node(walk, token);
    if (walk->depth == JSON_WALK_DEPTH || walk->deeper > 0) {
        walk->deeper++;
        walk->full |= keeps(walk);
    } else {
        walk->in[walk->depth].array = array;
        walk->in[walk->depth++].node = (uint32_t)walk->tree.n - 1;
    }
    walk->due = array ? VALUE : KEY;
    walk->follows = false;
}

static void begin_value(struct json_walk *walk, const struct json_token *token) {
    struct json_walk_level as;
    bool known = is_known(walk, &as), object = token->kind == JSON_OBJECT,
         bracket = object || token->kind == JSON_ARRAY;
    walk->passed = !known || (!bracket && !as.take);
    if (known && bracket && !(object && as.take) && walk->nlevels < JSON_WALK_DEPTH) {
        as.array = !object;
        walk->levels[walk->nlevels++] = as;
        walk->due = object ? KEY : VALUE;
        walk->follows = false;
        if (object && walk->begin)
            walk->begin(walk->ctx, as.kind);
        return;
    }
    walk->passed = walk->passed || !as.take;
    walk->kind = as.kind;
    walk->within = true;
    if (!walk->passed) {
        json_scan_watch(&walk->scan, token->at);
        walk->at = walk->scan.watched;
    }
    if (bracket) {
        open_within(walk, token);
        return;
    }
    if (!walk->passed)
        add_node(walk, token);
    end_value(walk);
}

static void value(struct json_walk *walk, const struct json_token *token) {
    walk->line = json_scan_indented(&walk->scan, token->at, 0);
    if (!walk->within) {
        begin_value(walk, token);
    } else if (token->kind == JSON_OBJECT || token->kind == JSON_ARRAY) {
        open_within(walk, token);
    } else {
        if (keeps(walk))
            add_node(walk, token);
        come_after(walk);
    }
}

/* A bracket within a value, or of those around it. False: it is of the other kind. */
static bool close_bracket(struct json_walk *walk, bool array) {
    if (walk->deeper > 0) { /* their kinds are not known */
        if (--walk->deeper == 0)
            come_after(walk);
        return true;
    }
    if (walk->due != (array ? VALUE : KEY))
        return false;
    if (walk->within) {
        if (walk->in[walk->depth - 1].array != array)
            return false;
        walk->depth--;
        if (keeps(walk))
            walk->tree.v[walk->in[walk->depth].node].end = (uint32_t)walk->tree.n;
        if (walk->depth == 0)
            end_value(walk);
    } else {
        if (walk->nlevels == 0 || walk->levels[walk->nlevels - 1].array != array)
            return false;
        pop(walk);
    }
    come_after(walk);
    return true;
}

static void forget_value(struct json_walk *walk) {
    walk->within = walk->full = false;
    walk->depth = walk->deeper = 0;
    walk->tree.n = walk->text.n = 0;
}

/* The object that has begun is an element of the innermost of n levels; 0: one of the top. */
static void begin_again(struct json_walk *walk, size_t n) {
    forget_value(walk);
    while (walk->nlevels > n)
        pop(walk);
    int kind = n > 0 ? walk->levels[n - 1].kind : JSON_WALK_TOP;
    walk->levels[walk->nlevels++] = (struct json_walk_level){false, false, kind};
    if (walk->begin)
        walk->begin(walk->ctx, kind);
}

/* The first key after a fault belongs to the object around which levels: those of the innermost
 * array that may have it, or the top, where the source begins again. */
static void find_place(struct json_walk *walk, struct str key) {
    size_t n = walk->nlevels;
    walk->lost = false;
    while (n > 0 && !(walk->levels[n - 1].array && !walk->levels[n - 1].take &&
                      rule_of(walk, walk->levels[n - 1].kind, key.s, key.n)))
        n--;
    if (n == 0 && (walk->nlevels == 0 || rule_of(walk, JSON_WALK_TOP, key.s, key.n) == NULL))
        return;
    begin_again(walk, n);
}

/* An object of the top begins a line where it does not belong: a value was cut. */
static void find_cut(struct json_walk *walk, const struct json_token *token) {
    struct str key = token->text;
    bool belongs =
        !walk->within && rule_of(walk, walk->levels[walk->nlevels - 1].kind, key.s, key.n);
    if (belongs || rule_of(walk, JSON_WALK_TOP, key.s, key.n) == NULL)
        return;
    json_walk_fault(walk, IMPORT_SYNTAX, place(walk, token->at),
                    "a value is cut: the next object begins on this line");
    begin_again(walk, 0);
}

static void key(struct json_walk *walk, const struct json_token *token) {
    if (walk->lost)
        find_place(walk, token->text);
    else if (walk->line && !walk->follows && walk->deeper == 0)
        find_cut(walk, token);
    if (keeps(walk) && walk->deeper == 0) {
        uint32_t n;
        walk->key_at = keep_text(walk, token->text, &n);
        if (token->escaped)
            unescape(walk, walk->key_at, &n);
        walk->key_bytes = n;
    } else if (!walk->within) {
        walk->nkey = token->text.n <= JSON_WALK_KEY ? token->text.n : 0;
        memcpy(walk->key, token->text.s, walk->nkey);
    }
    walk->due = json_scan_colon(&walk->scan) ? VALUE : COLON;
    walk->follows = true;
}

/* ---- tokens ---- */

static void miss_comma(struct json_walk *walk, const struct json_token *token) {
    char buf[EVENT_QUOTED];
    json_walk_fault(walk, IMPORT_SYNTAX, place(walk, token->at), "expected a comma before %s",
                    event_write_quoted(token->text, buf));
}

/* False: it does not belong there. */
static bool take(struct json_walk *walk, const struct json_token *token) {
    switch (token->kind) {
    case JSON_OBJECT_END:
    case JSON_ARRAY_END:
        return close_bracket(walk, token->kind == JSON_ARRAY_END);
    case JSON_COLON:
        if (walk->due != COLON)
            return walk->deeper > 0;
        walk->due = VALUE;
        walk->follows = false; /* no comma is before the value */
        return true;
    case JSON_BAD:
        return false;
    default:
        break;
    }
    bool around = walk->within || walk->nlevels > 0,
         in_array = walk->depth > 0 ? walk->in[walk->depth - 1].array
                                    : walk->nlevels > 0 && walk->levels[walk->nlevels - 1].array;
    if (walk->deeper > 0) {
        if (token->kind == JSON_OBJECT || token->kind == JSON_ARRAY)
            walk->deeper++;
        return true;
    }
    if (walk->due == COLON || (walk->due == KEY && token->kind != JSON_STRING))
        return false;
    if (around && walk->follows && !token->comma && (walk->due == KEY || in_array))
        miss_comma(walk, token);
    if (token->cut)
        json_walk_fault(walk, IMPORT_CUT, place(walk, token->at), "a text of more than %d bytes",
                        JSON_TOKEN_MAX);
    if (walk->due == KEY) {
        key(walk, token);
        return true;
    }
    if (token->kind == JSON_WORD) {
        char buf[EVENT_QUOTED];
        json_walk_fault(walk, IMPORT_SYNTAX, place(walk, token->at), "expected a value, not %s",
                        event_write_quoted(token->text, buf));
    }
    value(walk, token);
    return true;
}

/* An object comes, which is an element of the innermost array. */
static void go_on(struct json_walk *walk) {
    while (walk->nlevels > 0 && !walk->levels[walk->nlevels - 1].array)
        pop(walk);
    walk->resuming = false;
    walk->lost = walk->resumed = true;
    walk->due = VALUE;
    walk->follows = false;
}

/* Goes to the next object. False: not in this piece. */
static bool resume(struct json_walk *walk) {
    if (!json_scan_resume(&walk->scan, NULL))
        return false;
    go_on(walk);
    return true;
}

static void lose(struct json_walk *walk, const struct json_token *token) {
    static const char *const expected[] = {"a key in quotes, or }", "a colon after the key",
                                           "a value, or the bracket that was opened"};
    char buf[EVENT_QUOTED];
    json_walk_fault(walk, IMPORT_SYNTAX, place(walk, token->at), "expected %s, not %s",
                    expected[walk->due], event_write_quoted(token->text, buf));
    json_scan_run_back(&walk->scan, token->at);
    forget_value(walk);
    walk->resuming = true;
    if (token->kind != JSON_OBJECT || !json_scan_parted(&walk->scan, token->at))
        return;
    json_scan_back(&walk->scan, token, 0, 0);
    go_on(walk);
}

static void read(struct json_walk *walk) {
    struct json_token token;
    while (!walk->resuming || resume(walk)) {
        if (json_scan_next(&walk->scan, &token) == JSON_MORE || token.open)
            return;
        if (!take(walk, &token))
            lose(walk, &token);
    }
}

void json_walk_step(struct json_walk *walk, struct str bytes, bool last) {
    walk->marks.n = walk->cases.n = 0;
    if (bytes.n == 0) /* then it may have no address */
        bytes = STR("");
    do {
        struct str piece = {bytes.s, bytes.n < PIECE ? bytes.n : PIECE};
        bytes = (struct str){bytes.s + piece.n, bytes.n - piece.n};
        json_scan_feed(&walk->scan, piece, last && bytes.n == 0);
        read(walk);
    } while (bytes.n > 0);
    if (last && (walk->within || walk->nlevels > 0) && !walk->resuming)
        json_walk_fault(walk, IMPORT_TRUNCATED,
                        walk->within ? walk->at : place(walk, walk->scan.base + walk->scan.pos),
                        "the source ends within a value");
    while (last && walk->nlevels > 0)
        pop(walk);
}
