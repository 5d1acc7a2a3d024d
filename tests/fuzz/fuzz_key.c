/* fuzz_key.c - any bytes from a terminal, in any pieces, and any names of keys. The first byte
 * chooses whether a prompt is open, and whether the terminal's description adds sequences; the
 * second seeds the sizes of the pieces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/vec.h"
#include "tests/fuzz/fuzz.h"
#include "ui/screen/key_decode.h"

struct keys {
    struct key *v;
    size_t n, cap;
};

static void start(struct key_decode *decoder, bool extra) {
    static const struct {
        const char *sequence;
        uint32_t code;
    } described[] = {{"\033[9~", KEY_PAGE_UP},
                     {"\033q", KEY_FUNCTION + 1},
                     {"\033[25;5~", KEY_DELETE_},
                     {"\033O1", 'x'}};
    key_decode_init(decoder);
    for (size_t i = 0; extra && i < sizeof described / sizeof *described; i++)
        key_decode_define(decoder, described[i].sequence, described[i].code);
}

/* Its name is read back as the same key; those of no name are shown by number. */
static void named(uint32_t code) {
    char name[16];
    struct key key;
    const char *rest = key_name(code, name);
    FUZZ_MUST(rest == name && strlen(name) < sizeof name);
    if (code == KEY_POINTER || code == KEY_RESIZED || strncmp(name, "<U+", 3) == 0)
        return;
    if (!key_parse(&rest, &key) || *rest != '\0' || key.code != code)
        fuzz_unsound("%s, U+%X, is read as U+%X", name, code, key.code);
}

static void is_key(const struct key *key) {
    FUZZ_MUST(key->code != KEY_NONE);
    if (key->code == KEY_POINTER)
        FUZZ_MUST(key->x >= 0 && key->x < 10000 && key->y >= 0 && key->y < 10000 &&
                  key->what <= POINTER_WHEEL_DOWN);
    else
        FUZZ_MUST(key->x == 0 && key->y == 0 && key->what == 0);
    FUZZ_MUST(key->code <= 0x10FFFF || key->code == KEY_POINTER || key->code <= KEY_FUNCTION_LAST);
    named(key->code);
}

static void take(struct key_decode *decoder, bool in_prompt, bool idle, struct keys *keys) {
    struct key key;
    while (key_decode_next(decoder, in_prompt, idle, &key)) {
        is_key(&key);
        vec_push(keys, key);
    }
    FUZZ_MUST(key.code == KEY_NONE && decoder->at <= decoder->n &&
              decoder->n <= sizeof decoder->bytes);
}

/* Pieces of 1..most bytes. */
static struct keys decode(const char *bytes, size_t n, uint8_t flags, size_t most,
                          uint32_t thrown) {
    struct key_decode decoder;
    struct keys keys = {0};
    bool in_prompt = flags & 1;
    start(&decoder, flags & 2);
    while (n > 0) {
        thrown = thrown * 1664525 + 1013904223;
        size_t piece = 1 + (thrown >> 8) % most;
        piece = piece < n ? piece : n;
        size_t fed = key_decode_feed(&decoder, bytes, piece);
        /* after all complete keys are taken out there is space for the piece */
        FUZZ_MUST(fed == piece);
        bytes += piece;
        n -= piece;
        take(&decoder, in_prompt, false, &keys);
        /* what waits for its rest is short, whatever came */
        FUZZ_MUST(decoder.n - decoder.at < 80);
        FUZZ_MUST((decoder.n == decoder.at) || key_decode_patience(&decoder) > 0);
    }
    for (int i = 0; i < 3 && key_decode_patience(&decoder) >= 0; i++)
        take(&decoder, in_prompt, true, &keys);
    /* nothing is stuck */
    FUZZ_MUST(decoder.n == decoder.at && key_decode_patience(&decoder) == -1);
    return keys;
}

static void same_in_pieces(const char *bytes, size_t n, uint8_t flags, uint32_t thrown) {
    struct keys whole = decode(bytes, n, flags, 3000, thrown),
                pieces = decode(bytes, n, flags, 1 + thrown % 7, thrown);
    FUZZ_MUST(whole.n == pieces.n);
    for (size_t i = 0; i < whole.n; i++)
        if (whole.v[i].code != pieces.v[i].code || whole.v[i].x != pieces.v[i].x ||
            whole.v[i].y != pieces.v[i].y || whole.v[i].what != pieces.v[i].what)
            fuzz_unsound("key %zu is U+%X in pieces, not U+%X", i, pieces.v[i].code,
                         whole.v[i].code);
    FUZZ_MUST(whole.n <= n); /* never more keys than bytes */
    vec_free(&whole);
    vec_free(&pieces);
}

static void names(const char *text) {
    const char *at = text, *end = text + strlen(text);
    struct key key;
    for (const char *before = at; key_parse(&at, &key); before = at) {
        FUZZ_MUST(at > before && at <= end && key.code != KEY_NONE);
        named(key.code);
        FUZZ_MUST(key.x >= 0 && key.x < 100001 && key.y >= 0 && key.y < 100001);
    }
    FUZZ_MUST(*at == '\0' || *at == '<' || (unsigned char)*at >= 0x80);
}

void fuzz_key(const uint8_t *data, size_t size) {
    if (size < 2)
        return;
    const char *bytes = (const char *)data + 2;
    size_t n = size - 2;
    uint32_t thrown = data[1] * 0x01010101u + (uint32_t)n;
    same_in_pieces(bytes, n, data[0], thrown);
    char *text = err_malloc(n + 1);
    memcpy(text, bytes, n);
    text[n] = '\0';
    names(text);
    free(text);
}
