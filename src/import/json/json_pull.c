/* json_pull.c - tokens of one text, and the kinds of the brackets that are open. */
#include "src/import/json/json_pull.h"

#include "src/import/json/json_read.h"

#define BLOCK 512 /* bytes between two places that are known */

void json_pull_free(struct json_pull *pull) {
    json_scan_free(&pull->scan);
    vec_free(&pull->blocks);
}

void json_pull_add(struct json_pull *pull, struct str bytes) {
    vec_reserve(&pull->scan.buf, pull->scan.buf.n + bytes.n + 1);
    if (bytes.n > 0)
        memcpy(pull->scan.buf.v + pull->scan.buf.n, bytes.s, bytes.n);
    pull->scan.buf.n += bytes.n;
    pull->scan.last = true;
}

/* Takes a token; false: the text ends, which is a fault within a value. */
static bool take(struct json_pull *pull, struct json_token *token) {
    token->open = false;
    if (pull->fault)
        return false;
    if (json_scan_next(&pull->scan, token) != JSON_MORE && !token->open)
        return true;
    pull->fault = pull->truncated = pull->depth > 0 || pull->bracket || token->open;
    return false;
}

static bool lose(struct json_pull *pull, const struct json_token *token) {
    pull->token = *token;
    pull->fault = true;
    return false;
}

/* Goes over the rest of a bracket that was not entered. */
static bool skip(struct json_pull *pull) {
    struct json_token token = pull->token;
    for (uint64_t depth = 1; depth > 0;) {
        if (!take(pull, &token))
            return false;
        if (token.kind == JSON_BAD)
            return lose(pull, &token);
        depth += token.kind == JSON_OBJECT || token.kind == JSON_ARRAY;
        depth -= token.kind == JSON_OBJECT_END || token.kind == JSON_ARRAY_END;
    }
    pull->bracket = false;
    return true;
}

struct str json_pull_over(struct json_pull *pull) {
    size_t at = (size_t)pull->token.at;
    if (pull->bracket)
        skip(pull);
    return (struct str){pull->scan.buf.v + at, pull->scan.pos - at};
}

/* The token begins a value. */
static bool begin(struct json_pull *pull, const struct json_token *token) {
    if (token->kind == JSON_BAD || token->kind == JSON_COLON || token->kind == JSON_OBJECT_END ||
        token->kind == JSON_ARRAY_END)
        return lose(pull, token);
    pull->token = *token;
    pull->bracket = token->kind == JSON_OBJECT || token->kind == JSON_ARRAY;
    return true;
}

bool json_pull_top(struct json_pull *pull) {
    struct json_token token;
    while (pull->depth > 0 && !pull->fault)
        json_pull_next(pull);
    if (pull->bracket && !skip(pull))
        return false;
    return take(pull, &token) && begin(pull, &token);
}

void json_pull_back(struct json_pull *pull, uint64_t at) {
    pull->scan.pos = (size_t)at;
    pull->depth = 0;
    pull->bracket = pull->fault = pull->truncated = false;
    json_pull_top(pull);
}

bool json_pull_enter(struct json_pull *pull, enum json_kind kind) {
    if (!pull->bracket || pull->token.kind != kind || pull->depth == JSON_PULL_DEPTH)
        return false;
    unsigned char bit = (unsigned char)(1 << pull->depth % 8);
    unsigned char *bits = &pull->objects[pull->depth / 8];
    *bits = (unsigned char)(kind == JSON_OBJECT ? *bits | bit : *bits & ~bit);
    pull->depth++;
    pull->bracket = false;
    return true;
}

/* The key and the colon before a value. */
static bool key(struct json_pull *pull, struct json_token *token) {
    if (token->kind != JSON_STRING)
        return lose(pull, token);
    pull->key = *token;
    if (json_scan_colon(&pull->scan))
        return take(pull, token);
    if (!take(pull, token))
        return false;
    return token->kind == JSON_COLON ? take(pull, token) : lose(pull, token);
}

bool json_pull_next(struct json_pull *pull) {
    struct json_token token;
    if (pull->fault || (pull->bracket && !skip(pull)) || !take(pull, &token))
        return false;
    bool object = pull->objects[(pull->depth - 1) / 8] >> (pull->depth - 1) % 8 & 1;
    if (token.kind == (object ? JSON_OBJECT_END : JSON_ARRAY_END)) {
        pull->depth--;
        return false;
    }
    return (!object || key(pull, &token)) && begin(pull, &token);
}

bool json_pull_is(const struct json_pull *pull, const char *key) {
    return str_eq(pull->key.text, str_of(key));
}

struct str json_pull_string(const struct json_token *token, struct json_pull_text *buf) {
    bool cut = false;
    if (!token->escaped)
        return token->text;
    vec_reserve(&buf->v, token->text.n + 1);
    return (struct str){buf->v.v, json_read_string(token->text, buf->v.v, token->text.n, &cut)};
}

/* Counts the lines of the text, once. */
static void count_lines(struct json_pull *pull) {
    struct str all = {pull->scan.buf.v, pull->scan.buf.n};
    struct json_pull_block block = {0, 0};
    for (size_t i = 0; i < all.n; i += BLOCK) {
        size_t end = i + BLOCK < all.n ? i + BLOCK : all.n;
        vec_push(&pull->blocks, block);
        const char *v = all.s + i;
        while ((v = memchr(v, '\n', (size_t)(all.s + end - v))) != NULL) {
            block.lines++;
            block.begin = (uint64_t)(++v - all.s);
        }
    }
}

struct import_place json_pull_place(struct json_pull *pull, uint64_t at) {
    struct import_place place = {at, 0, 0};
    if (pull->blocks.n == 0)
        count_lines(pull);
    if (pull->blocks.n == 0)
        return place;
    size_t i = (size_t)at / BLOCK < pull->blocks.n ? (size_t)at / BLOCK : pull->blocks.n - 1;
    struct json_pull_block block = pull->blocks.v[i];
    const char *all = pull->scan.buf.v, *v = all + i * BLOCK;
    while ((v = memchr(v, '\n', (size_t)(all + at - v))) != NULL) {
        block.lines++;
        block.begin = (uint64_t)(++v - all);
    }
    place.line = block.lines;
    place.column = at - block.begin;
    return place;
}
