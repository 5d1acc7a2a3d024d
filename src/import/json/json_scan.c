/* json_scan.c - a scanner of JSON that stops and goes on at any byte.
 *
 * The bytes of a token that is cut by the end of a piece stay in the buffer until the next piece
 * follows them. `seen` remembers how far a string was searched, so that each byte is looked at
 * once. A string longer than JSON_TOKEN_MAX is handed on by its first bytes; the rest is skipped
 * piece by piece. */
#include "src/import/json/json_scan.h"

#include <assert.h>

#define KEY_MAX 64
#define LOOK 512 /* bytes of an event in which its key "ph" is looked for */

void json_scan_free(struct json_scan *scan) {
    vec_free(&scan->buf);
}

/* Goes on from a place in the buffer to a later byte. */
static inline void count_to(const struct json_scan *scan, struct import_place *place, uint64_t at) {
    const char *v = scan->buf.v + (place->byte - scan->base), *end = v + (at - place->byte);
    place->column += at - place->byte;
    place->byte = at;
    while (v < end && (v = memchr(v, '\n', (size_t)(end - v))) != NULL) {
        place->line++;
        place->column = (uint64_t)(end - ++v);
    }
}

/* Goes back from the watched place to an earlier byte in the buffer: mostly a few. */
static struct import_place count_back(const struct json_scan *scan, uint64_t at) {
    struct import_place place = scan->watched;
    const char *v = scan->buf.v;
    size_t begin = (size_t)(at - scan->base);
    for (size_t i = begin; i < (size_t)(place.byte - scan->base); i++)
        place.line -= v[i] == '\n';
    place.column -= place.byte - at;
    place.byte = at;
    if (place.line == scan->watched.line)
        return place;
    size_t i = begin;
    while (i > 0 && v[i - 1] != '\n')
        i--;
    place.column = begin - i + (i == 0 ? scan->before.column : 0);
    return place;
}

struct import_place json_scan_place(const struct json_scan *scan, uint64_t at) {
    if (at < scan->base) /* it is watched */
        return scan->watched;
    if (at < scan->watched.byte)
        return count_back(scan, at);
    struct import_place place = scan->watched.byte < scan->base ? scan->before : scan->watched;
    if (at > place.byte)
        count_to(scan, &place, at);
    return place;
}

void json_scan_watch(struct json_scan *scan, uint64_t at) {
    if (scan->watched.byte < scan->base)
        scan->watched = scan->before;
    count_to(scan, &scan->watched, at);
}

/* The place in the buffer from which bytes are kept. */
static size_t kept(const struct json_scan *scan) {
    size_t low = scan->pos > JSON_SCAN_AGAIN ? scan->pos - JSON_SCAN_AGAIN : 0;
    uint64_t keep = scan->keep > scan->base + low ? scan->keep : scan->base + low;
    return keep < scan->base + scan->pos ? (size_t)(keep - scan->base) : scan->pos;
}

void json_scan_feed(struct json_scan *scan, struct str bytes, bool last) {
    size_t from = kept(scan), back = scan->pos > JSON_SCAN_BACK ? scan->pos - JSON_SCAN_BACK : 0;
    from = back < from ? back : from;
    size_t left = scan->buf.n - from;
    if (from > 0)
        scan->before = json_scan_place(scan, scan->base + from);
    scan->before_base = from > 0 ? scan->buf.v[from - 1] : scan->before_base;
    if (left > 0)
        memmove(scan->buf.v, scan->buf.v + from, left);
    scan->base += from;
    scan->pos -= from;
    scan->last = last;
    vec_reserve(&scan->buf, left + bytes.n + 1);
    if (bytes.n > 0)
        memcpy(scan->buf.v + left, bytes.s, bytes.n);
    scan->buf.n = left + bytes.n;
}

/* The classes of bytes. */
enum { BLANK = 1, WORD = 2, STOP = 4 }; /* STOP: ends a run within a string */

static const unsigned char classes[256] = {
    ['\t'] = BLANK, ['\n'] = BLANK, ['\r'] = BLANK, [' '] = BLANK, ['"'] = STOP, ['+'] = WORD,
    [','] = BLANK,  ['-'] = WORD,   ['.'] = WORD,   ['0'] = WORD,  ['1'] = WORD, ['2'] = WORD,
    ['3'] = WORD,   ['4'] = WORD,   ['5'] = WORD,   ['6'] = WORD,  ['7'] = WORD, ['8'] = WORD,
    ['9'] = WORD,   ['A'] = WORD,   ['B'] = WORD,   ['C'] = WORD,  ['D'] = WORD, ['E'] = WORD,
    ['F'] = WORD,   ['G'] = WORD,   ['H'] = WORD,   ['I'] = WORD,  ['J'] = WORD, ['K'] = WORD,
    ['L'] = WORD,   ['M'] = WORD,   ['N'] = WORD,   ['O'] = WORD,  ['P'] = WORD, ['Q'] = WORD,
    ['R'] = WORD,   ['S'] = WORD,   ['T'] = WORD,   ['U'] = WORD,  ['V'] = WORD, ['W'] = WORD,
    ['X'] = WORD,   ['Y'] = WORD,   ['Z'] = WORD,   ['\\'] = STOP, ['_'] = WORD, ['a'] = WORD,
    ['b'] = WORD,   ['c'] = WORD,   ['d'] = WORD,   ['e'] = WORD,  ['f'] = WORD, ['g'] = WORD,
    ['h'] = WORD,   ['i'] = WORD,   ['j'] = WORD,   ['k'] = WORD,  ['l'] = WORD, ['m'] = WORD,
    ['n'] = WORD,   ['o'] = WORD,   ['p'] = WORD,   ['q'] = WORD,  ['r'] = WORD, ['s'] = WORD,
    ['t'] = WORD,   ['u'] = WORD,   ['v'] = WORD,   ['w'] = WORD,  ['x'] = WORD, ['y'] = WORD,
    ['z'] = WORD,   ['\0'] = STOP,
};

static inline bool is(char c, int class) {
    return classes[(unsigned char)c] & class;
}

/* Goes to the closing quote from pos + seen on. False: a zero byte is there, or the buffer ends. */
static bool find_stop(struct json_scan *scan) {
    const char *v = scan->buf.v;
    size_t i = scan->pos + scan->seen, n = scan->buf.n;
    for (;;) {
        while (i < n && !is(v[i], STOP))
            i++;
        if (i >= n || v[i] != '\\')
            break;
        scan->escaped = true;
        if (i + 1 >= n)
            break; /* the escaped byte is to come */
        i += 2;
    }
    scan->seen = i - scan->pos;
    return i < n && v[i] == '"';
}

static __attribute__((noinline)) bool pass_zeros(struct json_scan *scan) {
    for (size_t i; i = scan->pos + scan->seen, i < scan->buf.n && scan->buf.v[i] == '\0';) {
        if (scan->zero)
            scan->zero(scan->zero_ctx, scan->base + i);
        scan->zero = NULL;
        scan->seen++;
        if (find_stop(scan))
            return true;
    }
    return false;
}

/* Goes to the closing quote from pos + seen on. False: it is not in the buffer. */
static inline bool find_quote(struct json_scan *scan) {
    return find_stop(scan) || pass_zeros(scan);
}

static enum json_kind give_string(struct json_scan *scan, struct json_token *token, bool open) {
    size_t n = scan->seen - 1;
    token->kind = JSON_STRING;
    token->open = open;
    token->cut = n > JSON_TOKEN_MAX;
    token->escaped = scan->escaped;
    token->text = (struct str){scan->buf.v + scan->pos + 1, token->cut ? JSON_TOKEN_MAX : n};
    scan->pos = open ? scan->buf.n : scan->pos + scan->seen + 1;
    scan->seen = 0;
    scan->escaped = scan->comma = false;
    return token->kind;
}

static __attribute__((noinline)) enum json_kind scan_string(struct json_scan *scan,
                                                            struct json_token *token) {
    if (scan->seen == 0)
        scan->seen = 1; /* the opening quote */
    if (find_quote(scan))
        return give_string(scan, token, false);
    if (scan->last) {
        scan->seen = scan->buf.n - scan->pos;
        return give_string(scan, token, true);
    }
    if (scan->seen <= JSON_TOKEN_MAX + 1)
        return token->kind = JSON_MORE;
    size_t at = scan->pos + scan->seen;
    give_string(scan, token, false);
    scan->pos = at;
    scan->skipping = true;
    return token->kind;
}

/* Skips the rest of a string that was cut. False: it goes on. */
static bool skip_string(struct json_scan *scan) {
    bool ended = find_quote(scan);
    scan->pos += scan->seen + (ended ? 1 : 0);
    scan->seen = 0;
    scan->escaped = false;
    if (!ended && scan->last)
        scan->pos = scan->buf.n;
    scan->skipping = !ended;
    return ended;
}

static enum json_kind word_kind(struct str word) {
    static const struct {
        struct str text;
        enum json_kind kind;
    } words[] = {
        {STR("true"), JSON_TRUE},   {STR("false"), JSON_FALSE},     {STR("null"), JSON_NULL},
        {STR("NaN"), JSON_NUMBER},  {STR("Infinity"), JSON_NUMBER}, {STR("-Infinity"), JSON_NUMBER},
        {STR("-NaN"), JSON_NUMBER}, {STR("nan"), JSON_NUMBER},      {STR("-nan"), JSON_NUMBER},
        {STR("inf"), JSON_NUMBER},  {STR("-inf"), JSON_NUMBER}};
    size_t i = word.s[0] == '-' ? 1 : 0;
    bool hex = i + 1 < word.n && (word.s[i + 1] == 'x' || word.s[i + 1] == 'X');
    if (i < word.n && word.s[i] >= '0' && word.s[i] <= '9')
        return hex ? JSON_WORD : JSON_NUMBER; /* its reader decides the rest */
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (str_eq(word, words[k].text))
            return words[k].kind;
    return JSON_WORD;
}

static __attribute__((noinline)) enum json_kind scan_word(struct json_scan *scan,
                                                          struct json_token *token) {
    const char *v = scan->buf.v;
    size_t i = scan->pos;
    while (i < scan->buf.n && is(v[i], WORD))
        i++;
    if (i == scan->buf.n && !scan->last && i - scan->pos <= JSON_TOKEN_MAX)
        return token->kind = JSON_MORE;
    token->text = (struct str){v + scan->pos, i - scan->pos};
    token->kind = token->text.n <= JSON_TOKEN_MAX ? word_kind(token->text) : JSON_BAD;
    scan->pos = i;
    scan->comma = false;
    return token->kind;
}

/* Skips the mark at the very start of the source. False: more bytes are needed to know. */
static bool skip_mark(struct json_scan *scan) {
    static const char mark[] = "\xef\xbb\xbf";
    size_t n = scan->buf.n < 3 ? scan->buf.n : 3;
    bool same = memcmp(scan->buf.v, mark, n) == 0;
    if (same && n < 3 && !scan->last)
        return false;
    scan->begun = true;
    if (same && n == 3)
        scan->pos = 3;
    return true;
}

static inline enum json_kind sign(char c) {
    switch (c) {
    case '{':
        return JSON_OBJECT;
    case '}':
        return JSON_OBJECT_END;
    case '[':
        return JSON_ARRAY;
    case ']':
        return JSON_ARRAY_END;
    case ':':
        return JSON_COLON;
    default:
        return JSON_BAD;
    }
}

/* Its calls are the last thing that it does, so it saves no registers. */
static inline enum json_kind next(struct json_scan *scan, struct json_token *token) {
    const char *v = scan->buf.v;
    size_t pos = scan->pos, n = scan->buf.n;
    for (; pos < n && is(v[pos], BLANK); pos++) {
        scan->comma |= v[pos] == ',';
        while (pos + 1 < n && v[pos + 1] == ' ')
            pos++;
    }
    scan->pos = pos;
    if (pos >= n)
        return token->kind = JSON_MORE;
    token->at = scan->base + pos;
    token->comma = scan->comma;
    token->escaped = token->cut = token->open = false;
    if (v[pos] == '"')
        return scan_string(scan, token);
    if (is(v[pos], WORD))
        return scan_word(scan, token);
    token->text = (struct str){v + pos, 1};
    scan->pos++;
    scan->comma = false;
    return token->kind = sign(v[pos]);
}

/* The next token at the start, and after a string that was cut. */
static __attribute__((noinline)) enum json_kind next_after(struct json_scan *scan,
                                                           struct json_token *token) {
    if (scan->buf.n == 0 || (!scan->begun && !skip_mark(scan)) ||
        (scan->skipping && !skip_string(scan)))
        return token->kind = JSON_MORE;
    return next(scan, token);
}

enum json_kind json_scan_next(struct json_scan *scan, struct json_token *token) {
    if (!scan->begun || scan->skipping)
        return next_after(scan, token);
    return next(scan, token);
}

void json_scan_back(struct json_scan *scan, const struct json_token *token, unsigned depth,
                    uint64_t arrays) {
    scan->pos = (size_t)(token->at - scan->base);
    scan->comma = token->comma;
    scan->line = false;
    scan->depth = depth;
    scan->arrays = arrays;
}

bool json_scan_after_comma(const struct json_scan *scan, uint64_t end, uint64_t at) {
    return at == end + 1 &&
           (end < scan->base ? scan->before_base : scan->buf.v[end - scan->base]) == ',';
}

/* Whether a key that is wanted, and a colon, are at a quote. More: not in this piece. */
static enum json_skip key_at(const struct json_scan *scan, size_t quote, json_scan_wants *wants,
                             const void *ctx) {
    const char *v = scan->buf.v;
    size_t i = quote + 1, n = scan->buf.n;
    while (i < n && i - quote <= KEY_MAX && is(v[i], WORD))
        i++;
    struct str key = {v + quote + 1, i - quote - 1};
    if (i < n && v[i] != '"')
        return JSON_SKIP_FAILED;
    for (i++; i < n && is(v[i], BLANK) && v[i] != ','; i++)
        ;
    if (i >= n)
        return scan->last ? JSON_SKIP_FAILED : JSON_SKIP_MORE;
    return v[i] == ':' && wants(ctx, key) ? JSON_SKIPPED : JSON_SKIP_FAILED;
}

bool json_scan_again(struct json_scan *scan, uint64_t at) {
    uint64_t pos = scan->base + scan->pos;
    scan->skipping = false;
    if (at < scan->keep || at > pos || pos - at > JSON_SCAN_AGAIN)
        return false;
    scan->pos = (size_t)(at - scan->base);
    scan->comma = true;
    return true;
}

/* Goes over a string in the buffer, to its closing quote. A line's end in there shows that it is
 * none; then, or if it is longer, it goes to `end`. */
static size_t string_end(const struct json_scan *scan, size_t quote, size_t end) {
    size_t i = quote + 1;
    while (i < end && scan->buf.v[i] != '"' && scan->buf.v[i] != '\n')
        i += scan->buf.v[i] == '\\' ? 2 : 1;
    return i < end && scan->buf.v[i] == '"' ? i : end;
}

/* Whether a key is among those of an object, within LOOK bytes. first: after its bracket. Failed:
 * it ends without that key; more: that is not known, or not yet. */
static enum json_skip own_key(const struct json_scan *scan, size_t first, struct str key) {
    size_t end = first + LOOK < scan->buf.n ? first + LOOK : scan->buf.n, depth = 0;
    bool comes = true; /* a key */
    for (size_t i = first; i < end; i++) {
        char c = scan->buf.v[i];
        if (c == '"') {
            size_t quote = i;
            i = string_end(scan, quote, end);
            if (comes && depth == 0 && i < end &&
                str_eq(key, (struct str){scan->buf.v + quote + 1, i - quote - 1}))
                return JSON_SKIPPED;
        } else if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && depth-- == 0)
            return JSON_SKIP_FAILED;
        comes = c == ',' || (comes && is(c, BLANK));
    }
    return JSON_SKIP_MORE;
}

/* Whether an event begins at a bracket, before the first byte in there that is no blank. It is one
 * by its key "ph"; if that may be far, by its first key. */
static enum json_skip event_at(const struct json_scan *scan, size_t first, json_scan_wants *begins,
                               const void *ctx) {
    char c = scan->buf.v[first];
    if (!begins || c != '"')
        return !begins && (c == '"' || c == '}') ? JSON_SKIPPED : JSON_SKIP_FAILED;
    enum json_skip own = own_key(scan, first, STR("ph"));
    if (own != JSON_SKIP_MORE || (!scan->last && first + LOOK > scan->buf.n))
        return own;
    return key_at(scan, first, begins, ctx);
}

/* Whether an event begins at a bracket right after a text that was cut: it has its key "ph", and
 * begins with one of its keys. Brackets of values do not count. */
static enum json_skip glued_at(const struct json_scan *scan, size_t brace, size_t first,
                               json_scan_wants *begins, const void *ctx) {
    char c = brace > 0 ? scan->buf.v[brace - 1] : scan->before_base;
    if (!begins || c == ':' || c == '[' || scan->buf.v[first] != '"')
        return JSON_SKIP_FAILED;
    enum json_skip found = key_at(scan, first, begins, ctx);
    if (found != JSON_SKIPPED)
        return found;
    found = own_key(scan, first, STR("ph"));
    bool all = scan->last || first + LOOK <= scan->buf.n;
    return found == JSON_SKIP_MORE && all ? JSON_SKIP_FAILED : found;
}

/* Goes to the closing quote of a string. A line's end in there, or a word right after it, shows
 * that a quote is missing. */
static enum json_skip skip_quoted(struct json_scan *scan) {
    size_t from = scan->seen > 0 ? scan->seen : 1;
    scan->seen = from;
    bool ended = find_quote(scan);
    size_t after = scan->pos + scan->seen + 1;
    if (memchr(scan->buf.v + scan->pos + from, '\n', scan->seen - from))
        return JSON_SKIP_FAILED;
    if (!ended || after == scan->buf.n)
        return scan->last || scan->seen > JSON_TOKEN_MAX ? JSON_SKIP_FAILED : JSON_SKIP_MORE;
    if (is(scan->buf.v[after], WORD))
        return JSON_SKIP_FAILED;
    scan->pos += scan->seen;
    scan->seen = 0;
    scan->escaped = false;
    return JSON_SKIPPED;
}

/* False: it may begin the next event, or is too deep. */
static bool skip_open(struct json_scan *scan, char c) {
    bool event = c == '{' && (scan->line || (scan->comma && scan->depth == 0));
    if (event || scan->depth == JSON_SKIP_DEPTH)
        return false;
    uint64_t bit = UINT64_C(1) << scan->depth++;
    scan->arrays = c == '[' ? scan->arrays | bit : scan->arrays & ~bit;
    return true;
}

/* False: it closes a bracket of the other kind, or none. */
static bool skip_close(struct json_scan *scan, char c) {
    return scan->depth > 0 && (scan->arrays >> --scan->depth & 1) == (c == ']');
}

/* Whether an event begins here, at a bracket, after a few blanks at most. */
static enum json_skip glued_here(const struct json_scan *scan, json_scan_wants *begins) {
    size_t from = scan->pos + 1, i = from;
    while (i < scan->buf.n && i - from < JSON_SCAN_BACK && is(scan->buf.v[i], BLANK))
        i++;
    if (i == scan->buf.n)
        return scan->last ? JSON_SKIP_FAILED : JSON_SKIP_MORE;
    return glued_at(scan, scan->pos, i, begins, NULL);
}

/* Goes over one byte, or one string. */
static enum json_skip skip_one(struct json_scan *scan, char c, json_scan_wants *begins) {
    bool key = c == '"' && scan->comma && scan->depth == 0, end = c == '}' && scan->depth == 0;
    if (key || end) {
        scan->comma = true;
        return JSON_SKIPPED;
    }
    if (c == '"') {
        enum json_skip quoted = skip_quoted(scan);
        if (quoted != JSON_SKIPPED)
            return quoted;
    }
    enum json_skip next = c == '{' ? glued_here(scan, begins) : JSON_SKIP_FAILED;
    if (next != JSON_SKIP_FAILED)
        return next == JSON_SKIPPED ? JSON_SKIP_FAILED : next;
    if (((c == '{' || c == '[') && !skip_open(scan, c)) ||
        ((c == '}' || c == ']') && !skip_close(scan, c)))
        return JSON_SKIP_FAILED;
    bool blank = is(c, BLANK);
    scan->comma = blank && (scan->comma || c == ',');
    scan->line = blank && (scan->line || c == '\n');
    scan->pos++;
    return JSON_SKIP_MORE;
}

enum json_skip json_scan_skip(struct json_scan *scan, json_scan_wants *begins) {
    while (scan->pos < scan->buf.n) {
        size_t at = scan->pos;
        enum json_skip skipped = skip_one(scan, scan->buf.v[at], begins);
        if (skipped != JSON_SKIP_MORE || scan->pos == at)
            return skipped;
    }
    return scan->last ? JSON_SKIP_FAILED : JSON_SKIP_MORE;
}

enum json_skip json_scan_key(struct json_scan *scan, json_scan_wants *wants,
                             json_scan_wants *begins, const void *ctx) {
    const char *v = scan->buf.v;
    scan->skipping = false;
    scan->seen = 0;
    scan->escaped = false;
    for (;; scan->pos++) {
        while (scan->pos < scan->buf.n && v[scan->pos] != ',' && v[scan->pos] != '\n' &&
               v[scan->pos] != '{')
            scan->pos++;
        size_t i = scan->pos;
        bool comma = false;
        for (; i < scan->buf.n && is(v[i], BLANK); i++)
            comma |= v[i] == ',';
        if (i < scan->buf.n && v[i] != '{') {
            enum json_skip found = JSON_SKIP_FAILED;
            if (wants && comma && v[i] == '"')
                found = key_at(scan, i, wants, ctx);
            if (found == JSON_SKIP_MORE)
                return found;
            if (found == JSON_SKIPPED) {
                scan->pos = i;
                scan->comma = true;
                return found;
            }
            if (i > scan->pos)
                scan->pos = i - 1;
            continue;
        }
        size_t brace = i++;
        while (i < scan->buf.n && is(v[i], BLANK))
            i++;
        /* blanks alone may go on: they are given up in the end, and after 64 KiB */
        if (i >= scan->buf.n)
            break;
        bool glued = brace == scan->pos, any = !glued && !wants;
        enum json_skip event = glued ? glued_at(scan, brace, i, begins, ctx)
                                     : event_at(scan, i, any ? NULL : begins, ctx);
        if (event == JSON_SKIP_MORE)
            return event;
        scan->pos = brace; /* the blanks before it lead nowhere else */
        if (event == JSON_SKIPPED) {
            scan->comma = true; /* or it is not missed again */
            return JSON_SKIP_FAILED;
        }
    }
    if (scan->last || scan->buf.n - scan->pos > JSON_TOKEN_MAX)
        scan->pos = scan->buf.n;
    return JSON_SKIP_MORE;
}

bool json_scan_resume(struct json_scan *scan, json_scan_wants *begins) {
    return json_scan_key(scan, NULL, begins, NULL) != JSON_SKIP_MORE;
}

/* Goes back over blanks in the buffer, not beyond `low`. True: a comma or a line's end is among
 * them, or perhaps before them. */
static bool blanks_before(const struct json_scan *scan, size_t *i, size_t low) {
    bool parted = false;
    for (; *i > low && is(scan->buf.v[*i - 1], BLANK); --*i)
        parted |= scan->buf.v[*i - 1] == ',' || scan->buf.v[*i - 1] == '\n';
    return parted || (*i == low && low > 0);
}

bool json_scan_parted(const struct json_scan *scan, uint64_t at) {
    size_t i = (size_t)(at - scan->base);
    return blanks_before(scan, &i, i > JSON_SCAN_BACK ? i - JSON_SCAN_BACK : 0);
}

bool json_scan_blank(const struct json_scan *scan, uint64_t at, uint64_t blanks) {
    size_t i = (size_t)(at - scan->base);
    while (blanks > 0 && is(scan->buf.v[i - blanks], BLANK) && scan->buf.v[i - blanks] != '\n')
        blanks--;
    return blanks == 0;
}

enum json_skip json_scan_event(const struct json_scan *scan, uint64_t at, json_scan_wants *begins,
                               bool first) {
    size_t from = (size_t)(at - scan->base) + 1, i = from;
    while (i < scan->buf.n && is(scan->buf.v[i], BLANK) && scan->buf.v[i] != ',')
        i++;
    if (i == scan->buf.n)
        return scan->last || i - from > JSON_TOKEN_MAX ? JSON_SKIP_FAILED : JSON_SKIP_MORE;
    if (first && scan->buf.v[i] == '"')
        return key_at(scan, i, begins, NULL);
    return event_at(scan, i, begins, NULL);
}

/* The place of the `{` before a quote that ends right before `from`; `from`: it is not so. */
static size_t brace_before(const struct json_scan *scan, size_t from) {
    const size_t low = from > JSON_SCAN_BACK ? from - JSON_SCAN_BACK : 0;
    size_t i = from;
    if (i == low || scan->buf.v[i - 1] != '"')
        return from;
    i--;
    blanks_before(scan, &i, low);
    return i > low && scan->buf.v[i - 1] == '{' ? i - 1 : from;
}

uint64_t json_scan_glued(const struct json_scan *scan, const struct json_token *token) {
    uint64_t at = token->at;
    if (token->kind == JSON_WORD && scan->pos < scan->buf.n && scan->buf.v[scan->pos] == '{')
        return scan->base + scan->pos;
    return scan->base + brace_before(scan, (size_t)(at - scan->base));
}

bool json_scan_touches(const struct json_scan *scan, uint64_t at) {
    return at > scan->base && is(scan->buf.v[at - scan->base - 1], WORD);
}

bool json_scan_follows(const struct json_scan *scan, uint64_t end, uint64_t at) {
    if (end < scan->base)
        return false;
    while (end < at && is(scan->buf.v[end - scan->base], BLANK))
        end++;
    return end == at;
}

/* The end of the token before the `{`, or the byte itself: there is none. */
static size_t run_from(const struct json_scan *scan, uint64_t at) {
    const size_t from = (size_t)(at - scan->base),
                 low = from > JSON_SCAN_BACK ? from - JSON_SCAN_BACK : 0;
    size_t i = brace_before(scan, from);
    return i < from && blanks_before(scan, &i, low) && i > low ? i : from;
}

bool json_scan_runs_on(const struct json_scan *scan, uint64_t at) {
    return run_from(scan, at) < at - scan->base;
}

void json_scan_run_back(struct json_scan *scan, uint64_t at) {
    size_t i = run_from(scan, at);
    scan->pos = i < scan->pos ? i : scan->pos;
}
