/* span_store.c - texts are kept once, arguments as bytes: a type, a key, and a number or a text. */
#include "src/import/spans/span_store.h"

#include <stdio.h>

#include "src/import/json/json_read.h"

#define TEXTS_MOST ((size_t)28000) /* bytes of the texts of a record's arguments */
#define NAME_MOST 1024             /* bytes of a name that is registered */
#define NESTED_MOST 8192           /* bytes of the JSON text of a value in brackets */

void span_store_free(struct span_store *store) {
    vec_free(&store->spans);
    vec_free(&store->points);
    vec_free(&store->links);
    vec_free(&store->processes);
    vec_free(&store->threads);
    vec_free(&store->texts);
    vec_free(&store->bytes);
    vec_free(&store->args);
    vec_free(&store->more);
    map_free(&store->by_process);
    map_free(&store->by_thread);
    map_free(&store->by_text);
}

size_t span_store_bytes(const struct span_store *store) {
    return store->spans.n * sizeof *store->spans.v + store->points.n * sizeof *store->points.v +
           store->links.n * sizeof *store->links.v +
           store->processes.n * sizeof *store->processes.v +
           store->threads.n * sizeof *store->threads.v + store->texts.n * sizeof *store->texts.v +
           store->bytes.n + store->args.n + map_bytes(&store->by_text);
}

/* ---- texts and owners ---- */

struct query {
    const struct span_store *store;
    struct str text;
    uint32_t a, b;
};

static bool same_text(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    return str_eq(span_store_text_of(q->store, i), q->text);
}

static bool same_process(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    const struct span_process *p = &q->store->processes.v[i];
    return p->name == q->a && p->instance == q->b;
}

static bool same_thread(const void *ctx, uint32_t i) {
    const struct query *q = ctx;
    const struct span_thread *t = &q->store->threads.v[i];
    return t->process == q->a && t->id == q->b;
}

struct str span_store_text_of(const struct span_store *store, uint32_t i) {
    const struct span_text *text = &store->texts.v[i];
    return (struct str){text->n > 0 ? store->bytes.v + text->at : "", text->n};
}

uint32_t span_store_text(struct span_store *store, struct str text) {
    struct query q = {store, text, 0, 0};
    uint32_t i = map_intern(&store->by_text, hash_bytes(text.s, text.n), same_text, &q,
                            (uint32_t)store->texts.n);
    if (i < store->texts.n)
        return i;
    vec_push(&store->texts, ((struct span_text){store->bytes.n, (uint32_t)text.n}));
    vec_reserve(&store->bytes, store->bytes.n + text.n + 1);
    memcpy(store->bytes.v + store->bytes.n, text.s, text.n);
    store->bytes.n += text.n;
    return i;
}

uint32_t span_store_process(struct span_store *store, struct str name, struct str instance) {
    struct query q = {store, name, span_store_text(store, name), span_store_text(store, instance)};
    uint32_t i = map_intern(&store->by_process, hash_words(q.a, q.b), same_process, &q,
                            (uint32_t)store->processes.n);
    if (i == store->processes.n)
        vec_push(&store->processes, ((struct span_process){.name = q.a, .instance = q.b}));
    return i;
}

uint32_t span_store_thread(struct span_store *store, uint32_t process, struct str id,
                           struct str name) {
    struct query q = {store, name, process, span_store_text(store, id)};
    uint32_t i = map_intern(&store->by_thread, hash_words(q.a, q.b), same_thread, &q,
                            (uint32_t)store->threads.n);
    if (i == store->threads.n)
        vec_push(&store->threads,
                 ((struct span_thread){process, q.b, span_store_text(store, name)}));
    return i;
}

/* ---- arguments ---- */

static void put(struct span_store *store, const void *bytes, size_t n) {
    vec_reserve(&store->args, store->args.n + n + 1);
    memcpy(store->args.v + store->args.n, bytes, n);
    store->args.n += n;
}

void span_store_args(struct span_store *store) {
    if (store->args.n == 0)
        put(store, "", 1); /* an offset of 0 is none */
    store->list = store->args.n;
    store->n = 0;
    store->left = TEXTS_MOST;
    store->more.n = 0;
    store->cut = false;
    put(store, "", 1);
}

/* The text, or its begin: words of a record are whole. */
static struct str fitted(struct span_store *store, struct str text) {
    if (text.n > store->left) {
        store->cut = true;
        text.n = (size_t)str_head(text, store->left);
    }
    size_t words = (text.n + 7) & ~(size_t)7;
    store->left -= words < store->left ? words : store->left;
    return text;
}

static void put_head(struct span_store *store, struct str key, uint8_t type) {
    if (key.n > NAME_MOST) { /* it is in each record */
        store->cut = true;
        key.n = (size_t)str_head(key, NAME_MOST);
    }
    uint32_t name = span_store_text(store, fitted(store, key));
    put(store, &type, 1);
    put(store, &name, sizeof name);
    store->n++;
}

static void put_text(struct span_store *store, struct str key, struct str value) {
    put_head(store, key, FXT_ARG_STRING);
    value = fitted(store, value);
    uint32_t n = (uint32_t)value.n;
    put(store, &n, sizeof n);
    put(store, value.s, n);
}

static void put_number(struct span_store *store, struct str key, uint8_t type, uint64_t bits) {
    put_head(store, key, type);
    put(store, &bits, sizeof bits);
}

/* Adds `"key":value,` to the text of further arguments, whole or not at all. */
static void add_more(struct span_store *store, struct str key, struct str json) {
    if (store->more.n + key.n + json.n + 4 > store->left) {
        store->cut = true;
        return;
    }
    vec_reserve(&store->more, store->more.n + key.n + json.n + 4);
    char *to = store->more.v + store->more.n;
    *to++ = '"';
    for (size_t i = 0; i < key.n; i++)
        *to++ =
            key.s[i] == '"' || key.s[i] == '\\' || (unsigned char)key.s[i] < ' ' ? '_' : key.s[i];
    memcpy(to, "\":", 2);
    memcpy(to + 2, json.s, json.n);
    to[2 + json.n] = ',';
    store->more.n += key.n + json.n + 4;
}

void span_store_arg_text(struct span_store *store, struct str key, struct str value) {
    if (store->n < SPAN_ARGUMENTS)
        put_text(store, key, value);
    else
        store->cut = true;
}

void span_store_arg_json(struct span_store *store, struct str key, struct str json) {
    if (store->n < SPAN_ARGUMENTS)
        put_text(store, key, json);
    else
        add_more(store, key, json);
}

static void put_decimal(struct span_store *store, struct str key, struct str text) {
    int64_t i;
    uint64_t u, bits;
    double x;
    if (json_read_i64(text, &i)) {
        put_number(store, key, FXT_ARG_INT64, (uint64_t)i);
    } else if (json_read_u64(text, &u)) {
        put_number(store, key, FXT_ARG_UINT64, u);
    } else if (json_read_double(text, &x)) {
        memcpy(&bits, &x, sizeof bits);
        put_number(store, key, FXT_ARG_DOUBLE, bits);
    } else {
        put_text(store, key, text);
    }
}

/* Adds a value; json: its JSON text, if there are many arguments already. */
static void put_value(struct span_store *store, struct str key, enum json_kind kind,
                      struct str text, struct str json) {
    if (kind == JSON_OBJECT || kind == JSON_ARRAY || store->n >= SPAN_ARGUMENTS)
        span_store_arg_json(store, key, json);
    else if (kind == JSON_NUMBER)
        put_decimal(store, key, text);
    else if (kind == JSON_TRUE || kind == JSON_FALSE)
        put_number(store, key, FXT_ARG_BOOL, kind == JSON_TRUE);
    else if (kind == JSON_NULL)
        put_number(store, key, FXT_ARG_NULL, 0);
    else
        put_text(store, key, text);
}

void span_store_arg(struct span_store *store, struct str key, struct json_walk *walk, uint32_t i) {
    enum json_kind kind = walk->tree.v[i].kind;
    bool bracket = kind == JSON_OBJECT || kind == JSON_ARRAY;
    char json[NESTED_MOST];
    size_t n = 0;
    if (bracket || store->n >= SPAN_ARGUMENTS)
        n = json_walk_print(walk, i, json, sizeof json);
    if (n == sizeof json)
        store->cut = true;
    if (store->n >= SPAN_ARGUMENTS && n == sizeof json) /* it would not be JSON */
        return;
    put_value(store, key, kind, bracket ? STR("") : json_walk_text(walk, i), (struct str){json, n});
}

/* json: the JSON text of the token. */
static void put_json(struct span_store *store, struct str key, const struct json_token *token,
                     struct json_pull_text *buf, struct str json) {
    bool bracket = token->kind == JSON_OBJECT || token->kind == JSON_ARRAY;
    if (json.n >= NESTED_MOST && (bracket || store->n >= SPAN_ARGUMENTS)) {
        store->cut = true;
        json.n = (size_t)str_head(json, NESTED_MOST);
    }
    if (store->n < SPAN_ARGUMENTS || json.n < NESTED_MOST)
        put_value(store, key, token->kind, json_pull_string(token, buf), json);
}

void span_store_arg_token(struct span_store *store, struct str key, const struct json_token *token,
                          struct json_pull_text *buf) {
    struct str json = token->text;
    if (token->kind == JSON_STRING)
        json = (struct str){json.s - 1, json.n + 2};
    put_json(store, key, token, buf, json);
}

void span_store_arg_pull(struct span_store *store, struct str key, struct json_pull *pull,
                         struct json_pull_text *buf) {
    const struct json_token token = pull->token;
    if (pull->bracket)
        put_json(store, key, &token, buf, json_pull_over(pull));
    else
        span_store_arg_token(store, key, &token, buf);
}

uint64_t span_store_args_end(struct span_store *store, bool *cut) {
    if (store->more.n > 0) {
        uint8_t type = FXT_ARG_STRING;
        uint32_t n = (uint32_t)store->more.n + 1, name = span_store_text(store, STR("more"));
        store->more.v[store->more.n - 1] = '}';
        put(store, &type, 1);
        put(store, &name, sizeof name);
        put(store, &n, sizeof n);
        put(store, "{", 1);
        put(store, store->more.v, store->more.n);
        store->n++;
    }
    store->args.v[store->list] = (char)store->n;
    *cut = store->cut;
    return store->list;
}

struct writer_arguments span_store_read(const struct span_store *store, uint64_t list,
                                        struct writer *w, struct writer_argument *to) {
    const char *at = store->args.v + list;
    size_t n = list > 0 ? (size_t)*at++ : 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t type = (uint8_t)*at++;
        uint32_t name, bytes = 8;
        uint64_t bits = 0;
        memcpy(&name, at, sizeof name);
        at += sizeof name;
        struct writer_string key = writer_intern(w, span_store_text_of(store, name));
        if (type == FXT_ARG_STRING) {
            memcpy(&bytes, at, sizeof bytes);
            at += sizeof bytes;
            to[i] = writer_text(key, writer_inline((struct str){at, bytes}));
        } else {
            memcpy(&bits, at, sizeof bits);
            to[i] = writer_number(type, key, bits);
        }
        at += bytes;
    }
    return (struct writer_arguments){to, n};
}
