/* keymap.c - looks keys up among those of :map and of the chosen set. Their names are parsed once:
 * hints ask in each frame. */
#include "ui/config/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "ui/command.h"
#include "ui/config/key_sets.h"

#define OWN_MOST 500

/* The code of one key or two; 0: the text is something else. */
static uint64_t code_of(const char *keys) {
    struct key first, second;
    if (!key_parse(&keys, &first))
        return 0;
    if (*keys == 0)
        return first.code;
    return key_parse(&keys, &second) && *keys == 0 ? (uint64_t)first.code << 32 | second.code : 0;
}

static const struct command *command_of(const char *line) {
    return command_by_name(line, strcspn(line, " "));
}

/* The i-th key of :map, then of the set; NULL: there are fewer. */
static const struct key_map *key_at(const struct keymap *map, size_t i) {
    if (i < map->own.n)
        return &map->own.v[i];
    return i - map->own.n < map->added.n ? &map->added.v[i - map->own.n] : NULL;
}

bool keymap_at(const struct keymap *map, size_t i, const char **keys, const char **line) {
    const struct key_map *at = key_at(map, i);
    if (at == NULL)
        return false;
    *keys = at->keys;
    *line = at->line;
    return true;
}

const char *keymap_line(const struct keymap *map, uint64_t code, unsigned mode) {
    const struct key_map *at;
    for (size_t i = 0; (at = key_at(map, i)) != NULL; i++)
        if (at->code == code && at->modes & mode)
            return at->line;
    return NULL;
}

void keymap_sequences(const struct keymap *map, uint32_t prefix, unsigned mode, void *ctx,
                      void (*put)(void *ctx, const char *keys, const char *line)) {
    const struct key_map *at;
    for (size_t i = 0; (at = key_at(map, i)) != NULL; i++)
        if (at->code >> 32 == prefix && at->modes & mode)
            put(ctx, at->keys, at->line);
}

static void count(void *ctx, const char *keys, const char *line) {
    (void)keys;
    (void)line;
    ++*(int *)ctx;
}

bool keymap_prefix(const struct keymap *map, uint32_t code, unsigned mode) {
    int n = 0;
    keymap_sequences(map, code, mode, &n, count);
    return n > 0;
}

uint32_t keymap_key(const struct keymap *map, uint32_t code, unsigned mode) {
    const char *swaps = map->set && mode == MODE_TIMELINE ? map->set->swaps : "";
    for (; *swaps; swaps += 2)
        if (code == (uint32_t)swaps[0] || code == (uint32_t)swaps[1])
            return (uint32_t)(code == (uint32_t)swaps[0] ? swaps[1] : swaps[0]);
    return code;
}

/* Swaps characters in the parts of a text, between blanks and slashes, that have one or two of
 * them: "z", "zt". all: in all of these, else up to the first longer part. */
static const char *swapped(const struct keymap *map, const char *text, unsigned mode, bool all,
                           char buf[96]) {
    size_t n = strlen(text);
    bool on = true;
    if (map->set == NULL || *map->set->swaps == 0 || mode != MODE_TIMELINE || n >= 96)
        return text;
    memcpy(buf, text, n + 1);
    for (size_t at = 0; at < n && on; at += at < n) {
        size_t part = strcspn(text + at, "/ ");
        part = part == 0 ? text[at] == '/' : part; /* the key / itself */
        for (size_t i = at; i < at + part && part <= 2; i++)
            buf[i] = (char)keymap_key(map, (unsigned char)text[i], mode);
        on = all || part <= 2;
        at += part;
    }
    return buf;
}

const char *keymap_hint(const struct keymap *map, const char *text, unsigned mode, char buf[96]) {
    return swapped(map, text, mode, false, buf);
}

const char *keymap_names(const struct keymap *map, const char *keys, unsigned mode, char buf[96]) {
    return swapped(map, keys, mode, true, buf);
}

/* ---- the commands ---- */

static void free_key(struct key_map *own) {
    free((char *)(uintptr_t)own->keys);
    free((char *)(uintptr_t)own->line);
}

/* Removes the keys of :map with this code that are for a mode of `modes`; how many there were. */
static size_t drop(struct keymap *map, uint64_t code, unsigned modes) {
    size_t kept = 0, all = map->own.n;
    for (size_t i = 0; i < all; i++) {
        struct key_map *own = &map->own.v[i];
        if (own->code == code && own->modes & modes)
            free_key(own);
        else
            map->own.v[kept++] = *own;
    }
    map->own.n = kept;
    return all - kept;
}

/* Names the command of a key: of this view, else of any other. */
static void say_key(struct app *app, const char *keys) {
    uint64_t code = code_of(keys);
    unsigned mode = view_modes(app);
    const char *line = keymap_line(&app->keymap, code, mode);
    if (line == NULL)
        line = keymap_line(&app->keymap, code, MODE_ANY);
    const struct command *c =
        line ? NULL : command_for_key(keymap_key(&app->keymap, (uint32_t)code, mode), mode);
    char safe[80];
    const char *name = c ? c->name : "nothing here";
    text_plain(safe, sizeof safe, str_of(line ? line : name), app->grid.ascii ? TEXT_ASCII : 0);
    session_say(app, false, "%s: %s", keys, safe);
}

void keymap_type(struct app *app, const char *text) {
    size_t n = strcspn(text, " ");
    const char *line = text + n + strspn(text + n, " :");
    char safe[60], keys[40];
    text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
    snprintf(keys, sizeof keys, "%.*s", n < sizeof keys ? (int)n : 0, text);
    if (code_of(keys) == 0) {
        session_say(app, true, "not a key, nor two: %s (x, <F6>, <C-x>o)", safe);
        return;
    }
    if (*line == 0) {
        say_key(app, keys);
        return;
    }
    const struct command *c = command_of(line);
    text_plain(safe, sizeof safe, str_of(line), app->grid.ascii ? TEXT_ASCII : 0);
    if (c == NULL) {
        session_say(app, true, "no such command: %s (Tab completes after :)", safe);
    } else if (app->keymap.own.n >= OWN_MOST) {
        session_say(app, true, "at most %d keys can be mapped", OWN_MOST);
    } else {
        drop(&app->keymap, code_of(keys), c->modes);
        struct key_map own = {code_of(keys), c->modes, err_copy(keys, strlen(keys)),
                              err_copy(line, strlen(line))};
        vec_push(&app->keymap.own, own);
        session_say(app, false, "%s: %s", keys, safe);
    }
}

void keymap_unmap(struct app *app, const char *text) {
    char safe[60];
    uint64_t code = code_of(text);
    text_plain(safe, sizeof safe, str_of(text), app->grid.ascii ? TEXT_ASCII : 0);
    if (code == 0)
        session_say(app, true, "not a key, nor two: %s (x, <F6>, <C-x>o)", safe);
    else if (drop(&app->keymap, code, MODE_ANY) == 0)
        session_say(app, true, "no :map of %s", safe);
    else
        session_say(app, false, "%s is as before", safe);
}

static void add_set(struct keymap *map, const struct key_set *set) {
    map->set = set;
    map->added.n = 0;
    for (const struct key_line *line = set->lines; line && line->keys; line++) {
        struct key_map added = {code_of(line->keys), command_of(line->line)->modes, line->keys,
                                line->line};
        vec_push(&map->added, added);
    }
}

bool keymap_choose(struct app *app, const char *name) {
    for (int i = 0; i < key_set_count; i++)
        if (strcmp(key_sets[i].name, name) == 0) {
            add_set(&app->keymap, &key_sets[i]);
            return app->dirty = true;
        }
    return false;
}

const char *keymap_chosen(const struct app *app) {
    return app->keymap.set ? app->keymap.set->name : key_sets[0].name;
}

void keymap_free(struct keymap *map) {
    for (size_t i = 0; i < map->own.n; i++)
        free_key(&map->own.v[i]);
    vec_free(&map->own);
    vec_free(&map->added);
}
