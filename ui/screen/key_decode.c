/* key_decode.c - the bytes that a terminal sends, as keys.
 *
 * The decoder is a state machine over a buffer: each state eats from its front the bytes that
 * belong together, and waits if some of them have not come. It knows nothing of files or time: the
 * caller reads, and decides when to stop waiting. */
#include "ui/screen/key_decode.h"

#include <ctype.h>
#include <string.h>

#include "src/base/text.h"

enum state {
    GROUND,
    PASTE,     /* between ESC [ 200 ~ and ESC [ 201 ~ */
    IN_STRING, /* after OSC, DCS or APC, up to ST or BEL */
    IN_CSI,    /* the rest of an overlong CSI, up to its final byte */
};

enum {
    ESC = 0x1B,
    CSI_MAX = 64,         /* longer than any sequence of a key */
    ESC_PATIENCE = 25,    /* ms until ESC is the key */
    REST_PATIENCE = 300,  /* ms until the rest of a sequence is given up */
    PASTE_PATIENCE = 3000 /* ms until the end of a paste is given up */
};

enum found { /* the content of the buffer's front */
             FOUND_KEY,
             FOUND_NOTHING, /* bytes were eaten */
             FOUND_PART,    /* more bytes are needed */
};

void key_decode_init(struct key_decode *decoder) {
    decoder->at = decoder->n = 0;
    decoder->state = GROUND;
    decoder->paste_wanted = false;
    decoder->extra_n = 0;
    decoder->asked = decoder->asked_mode = decoder->escaped = false;
    decoder->answered = decoder->synchronized = false;
    decoder->reply_n = 0;
}

size_t key_decode_feed(struct key_decode *decoder, const char *bytes, size_t n) {
    if (decoder->at > 0) {
        memmove(decoder->bytes, decoder->bytes + decoder->at, decoder->n - decoder->at);
        decoder->n -= decoder->at;
        decoder->at = 0;
    }
    size_t room = sizeof decoder->bytes - decoder->n;
    n = n < room ? n : room;
    memcpy(decoder->bytes + decoder->n, bytes, n);
    decoder->n += n;
    return n;
}

#define ASKED_PATIENCE 250   /* ms: for the rest of an answer that is expected */
#define ANSWER_PATIENCE 5000 /* the same, when its start has come */

static bool is_answer(const struct key_decode *decoder) {
    return decoder->state == IN_STRING && decoder->asked && decoder->reply_n >= 3 &&
           memcmp(decoder->reply, "11;", 3) == 0;
}

/* the starts of answers, after ESC */
#define ANSWER "]11;"
#define MODE_ANSWER "[?2026;"

/* Whether an answer goes on here, after its ESC was taken as a key; *whole: all of its start has
 * come. */
static bool is_rest(const struct key_decode *decoder, bool *whole) {
    const char *s = (const char *)decoder->bytes + decoder->at;
    size_t n = decoder->n - decoder->at;
    bool mode = n > 0 && s[0] == *MODE_ANSWER;
    const char *start = mode ? MODE_ANSWER : ANSWER;
    size_t length = strlen(start);
    *whole = n >= length;
    return (mode ? decoder->asked_mode : decoder->asked) && decoder->escaped &&
           decoder->state == GROUND && n > 0 && memcmp(s, start, n < length ? n : length) == 0;
}

/* ESC alone is a key as soon as it would be without the question: keys do not wait for answers. */
int key_decode_patience(const struct key_decode *decoder) {
    size_t n = decoder->n - decoder->at;
    bool whole;
    if (is_answer(decoder))
        return ANSWER_PATIENCE;
    if ((decoder->asked || decoder->asked_mode) &&
        (decoder->state == IN_STRING || (n > 1 && decoder->bytes[decoder->at] == ESC) ||
         is_rest(decoder, &whole)))
        return ASKED_PATIENCE;
    if (decoder->state == PASTE)
        return PASTE_PATIENCE;
    if (n == 0)
        return decoder->state == GROUND ? -1 : REST_PATIENCE;
    return decoder->state == GROUND && n == 1 && decoder->bytes[decoder->at] == ESC ? ESC_PATIENCE
                                                                                    : REST_PATIENCE;
}

/* The keys whose final byte is a letter: ESC [ A, ESC O A, ESC [ 1 ; 5 A, rxvt's ESC O a. */
static uint32_t letter_code(unsigned char final) {
    switch (final) {
    case 'A':
    case 'a':
        return KEY_CURSOR_UP;
    case 'B':
    case 'b':
        return KEY_CURSOR_DOWN;
    case 'C':
    case 'c':
        return KEY_CURSOR_RIGHT;
    case 'D':
    case 'd':
        return KEY_CURSOR_LEFT;
    case 'F':
        return KEY_TO_END;
    case 'H':
        return KEY_TO_HOME;
    case 'P':
    case 'Q':
    case 'R':
    case 'S':
        return KEY_FUNCTION + 1u + final - 'P';
    case 'Z':
        return KEY_BACKTAB;
    default:
        return KEY_NONE;
    }
}

/* The keypad in application mode (vt100): ESC O and a letter. */
static uint32_t keypad_code(unsigned char final) {
    if (final == 'M')
        return KEY_ENTERED;
    if (final == 'I')
        return KEY_TABBED;
    if (final == 'X')
        return '=';
    return final >= 'j' && final <= 'y' ? (unsigned char)"*+,-./0123456789"[final - 'j'] : KEY_NONE;
}

/* ESC [ n ~ (rxvt: ^ $ @ in place of ~). */
static uint32_t number_code(unsigned n) {
    static const uint32_t codes[] = {
        [1] = KEY_TO_HOME,        [2] = KEY_INSERT_,        [3] = KEY_DELETE_,
        [4] = KEY_TO_END,         [5] = KEY_PAGE_UP,        [6] = KEY_PAGE_DOWN,
        [7] = KEY_TO_HOME,        [8] = KEY_TO_END,         [11] = KEY_FUNCTION + 1,
        [12] = KEY_FUNCTION + 2,  [13] = KEY_FUNCTION + 3,  [14] = KEY_FUNCTION + 4,
        [15] = KEY_FUNCTION + 5,  [17] = KEY_FUNCTION + 6,  [18] = KEY_FUNCTION + 7,
        [19] = KEY_FUNCTION + 8,  [20] = KEY_FUNCTION + 9,  [21] = KEY_FUNCTION + 10,
        [23] = KEY_FUNCTION + 11, [24] = KEY_FUNCTION + 12,
    };
    return n < sizeof codes / sizeof *codes ? codes[n] : KEY_NONE;
}

/* A character with modifiers, as terminals with extended keyboards report it; modifier bits are m -
 * 1. */
static uint32_t modified_code(unsigned cp, unsigned m) {
    bool ctrl = m > 0 && (m - 1) & 4, shift = m > 0 && (m - 1) & 1;
    if (cp == '\t' && shift)
        return KEY_BACKTAB;
    if (cp < 0x20 || cp == 0x7F)
        return key_of_control((unsigned char)cp);
    if (ctrl && ((cp >= 'a' && cp <= 'z') || (cp >= '@' && cp <= '_')))
        return key_of_control(cp & 0x1F);
    /* kitty has keys in the private area */
    return cp < 0xD800 || (cp >= 0xF900 && cp <= 0x10FFFF) ? cp : KEY_NONE;
}

static enum found found(struct key *key, uint32_t code) {
    *key = (struct key){.code = code};
    return code == KEY_NONE ? FOUND_NOTHING : FOUND_KEY;
}

/* A mouse report: only the left button and the wheel mean something; cells count from 1. */
static enum found found_pointer(struct key *key, unsigned button, unsigned x, unsigned y,
                                bool release) {
    /* modifiers ignored */
    const unsigned motion = 32, wheel = 64, which = button & ~(4u | 8u | 16u);
    uint8_t what;
    if (x == 0 || y == 0 || x > 10000 || y > 10000)
        return FOUND_NOTHING;
    if (which == wheel || which == wheel + 1)
        what = which == wheel ? POINTER_WHEEL_UP : POINTER_WHEEL_DOWN;
    else if (which == motion)
        what = POINTER_DRAG;
    else if (which == 0)
        what = release ? POINTER_RELEASE : POINTER_PRESS;
    else
        return FOUND_NOTHING;
    if (release && what != POINTER_RELEASE)
        return FOUND_NOTHING;
    *key = (struct key){KEY_POINTER, (int)x - 1, (int)y - 1, what};
    return FOUND_KEY;
}

/* Up to three numbers of a CSI's parameters; returns how many there are. */
static int numbers(const unsigned char *s, size_t n, unsigned out[3]) {
    int count = n > 0;
    out[0] = out[1] = out[2] = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == ';')
            count++;
        else if (s[i] == ':')
            while (i + 1 < n && s[i + 1] != ';') /* sub-parameters are not needed */
                i++;
        else if (count <= 3 && s[i] >= '0' && s[i] <= '9' && out[count - 1] < 10000000)
            out[count - 1] = out[count - 1] * 10 + (s[i] - '0');
    }
    return count;
}

/* A whole CSI; s[0..n) is the part between ESC [ and the final byte. */
/* The answer to DECRQM: "?2026;1$" (set) or "?2026;2$" (reset); others have no such mode. */
static void take_mode(struct key_decode *decoder, struct str s) {
    if (!decoder->asked_mode || s.n < 8 || memcmp(s.s, "?2026;", 6) != 0)
        return;
    decoder->asked_mode = false;
    decoder->synchronized = str_eq((struct str){s.s + 6, s.n - 6}, STR("1$")) ||
                            str_eq((struct str){s.s + 6, s.n - 6}, STR("2$"));
}

static enum found csi_key(struct key_decode *decoder, const unsigned char *s, size_t n,
                          unsigned char final, bool in_prompt, struct key *key) {
    unsigned v[3];
    if (n > 0 && s[0] == '<' && (final == 'M' || final == 'm')) {
        if (numbers(s + 1, n - 1, v) != 3)
            return FOUND_NOTHING;
        return found_pointer(key, v[0], v[1], v[2], final == 'm');
    }
    if (final == 'y')
        take_mode(decoder, (struct str){(const char *)s, n});
    for (size_t i = 0; i < n; i++)
        if (s[i] < '0' || s[i] > ';') /* a private reply, or an intermediate byte */
            return FOUND_NOTHING;
    int count = numbers(s, n, v);
    if (final == '~' && count == 1 && (v[0] == 200 || v[0] == 201)) {
        decoder->state = v[0] == 200 ? PASTE : GROUND;
        decoder->paste_wanted = in_prompt;
        return FOUND_NOTHING;
    }
    if (final == '~' && count == 3 && v[0] == 27)
        return found(key, modified_code(v[2], v[1]));
    if (final == '~' || final == '^' || final == '$' || final == '@')
        return found(key, count > 0 ? number_code(v[0]) : KEY_NONE);
    if (final == 'u')
        return found(key, count > 0 ? modified_code(v[0], v[1]) : KEY_NONE);
    if (final == 'R' && count > 0) /* a cursor position report, even if it looks like Shift-F3 */
        return FOUND_NOTHING;
    return found(key, count == 0 || (count == 2 && v[0] == 1) ? letter_code(final) : KEY_NONE);
}

static void eat(struct key_decode *decoder, size_t n) {
    decoder->at += n;
}

/* ESC [ at the front. */
static enum found decode_csi(struct key_decode *decoder, bool in_prompt, struct key *key) {
    const unsigned char *s = decoder->bytes + decoder->at;
    size_t n = decoder->n - decoder->at, i = 2;
    if (n > 2 && s[2] == '[') { /* the linux console's F1 to F5: ESC [ [ A */
        if (n < 4)
            return FOUND_PART;
        eat(decoder, 4);
        return found(key, s[3] >= 'A' && s[3] <= 'E' ? KEY_FUNCTION + 1u + s[3] - 'A' : KEY_NONE);
    }
    if (n > 2 && s[2] == 'M') { /* X10 mouse: three bytes, each 32 too high */
        if (n < 6)
            return FOUND_PART;
        eat(decoder, 6);
        unsigned button = s[3] - 32u, x = s[4] - 32u, y = s[5] - 32u;
        if ((button & 3) == 3 && !(button & ~31u)) /* some button was released */
            return found_pointer(key, 0, x, y, true);
        return found_pointer(key, button, x, y, false);
    }
    bool plain = true; /* digits only so far */
    for (; i < n && i < CSI_MAX && s[i] >= 0x20 && s[i] < 0x40; i++) {
        /* rxvt ends its shifted keys with an intermediate byte */
        if (s[i] == '$' && plain && i > 2)
            break;
        plain = plain && s[i] >= '0' && s[i] <= '9';
    }
    if (i == n)
        return FOUND_PART;
    if (i == CSI_MAX) {
        eat(decoder, i);
        decoder->state = IN_CSI;
        return FOUND_NOTHING;
    }
    /* the sequence was broken off: this byte is not part of it */
    if ((s[i] < 0x40 && s[i] != '$') || s[i] >= 0x7F) {
        eat(decoder, i);
        return FOUND_NOTHING;
    }
    eat(decoder, i + 1);
    return csi_key(decoder, s + 2, i - 2, s[i], in_prompt, key);
}

/* ESC O at the front; older terminals put a modifier before the letter. */
static enum found decode_ss3(struct key_decode *decoder, struct key *key) {
    const unsigned char *s = decoder->bytes + decoder->at;
    size_t n = decoder->n - decoder->at, i = 2;
    while (i < n && i < 8 && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';'))
        i++;
    if (i == n)
        return FOUND_PART;
    if (s[i] < 0x20 || s[i] >= 0x7F) {
        eat(decoder, i);
        return FOUND_NOTHING;
    }
    eat(decoder, i + 1);
    uint32_t code = letter_code(s[i]);
    return found(key, code != KEY_NONE ? code : keypad_code(s[i]));
}

/* A sequence of the terminal's description at the front. FOUND_NOTHING: there is none, and nothing
 * was eaten. */
static enum found decode_extra(struct key_decode *decoder, struct key *key) {
    const unsigned char *s = decoder->bytes + decoder->at;
    size_t n = decoder->n - decoder->at;
    enum found result = FOUND_NOTHING;
    for (int i = 0; i < decoder->extra_n; i++) {
        const struct key_sequence *extra = &decoder->extra[i];
        if (n >= extra->n && memcmp(s, extra->bytes, extra->n) == 0) {
            eat(decoder, extra->n);
            return found(key, extra->code);
        }
        if (n < extra->n && memcmp(s, extra->bytes, n) == 0)
            result = FOUND_PART;
    }
    return result;
}

static enum found decode_escape(struct key_decode *decoder, bool in_prompt, bool idle,
                                struct key *key) {
    const unsigned char *s = decoder->bytes + decoder->at;
    size_t n = decoder->n - decoder->at;
    enum found result = decode_extra(decoder, key);
    if (result == FOUND_KEY || (result == FOUND_PART && !idle))
        return result;
    if (n == 1 && !idle)
        return FOUND_PART;
    bool introducer =
        n > 1 && (s[1] == '[' || s[1] == 'O' || s[1] == 'P' || s[1] == ']' || s[1] == '_');
    if (introducer && n == 2) { /* nothing followed: Escape and the letter were typed */
        if (!idle)
            return FOUND_PART;
        introducer = false;
    } else if (introducer && (s[1] == 'P' || s[1] == ']')) { /* the same, unless a reply follows */
        introducer =
            (s[2] >= '0' && s[2] <= '9') || strchr(s[1] == 'P' ? ">!+$" : "lL", s[2]) != NULL;
    }
    if (introducer && s[1] == '[')
        result = decode_csi(decoder, in_prompt, key);
    else if (introducer && s[1] == 'O')
        result = decode_ss3(decoder, key);
    else if (introducer) {
        decoder->reply_n = s[1] == ']' ? 0 : sizeof decoder->reply; /* no reply that is taken */
        eat(decoder, 2);
        decoder->state = IN_STRING;
        return FOUND_NOTHING;
    } else { /* the Escape key, and after it another key */
        decoder->escaped = n == 1;
        eat(decoder, 1);
        return found(key, KEY_ESCAPE);
    }
    if (result == FOUND_PART && idle) {
        eat(decoder, n);
        return FOUND_NOTHING;
    }
    return result;
}

/* The answer goes on: it is read as a string, or passed over if it is about the mode.
 * FOUND_NOTHING: no key, and nothing was eaten unless it does. */
static enum found decode_rest(struct key_decode *decoder, bool idle) {
    bool whole, rest = is_rest(decoder, &whole);
    if (rest && !whole && !idle)
        return FOUND_PART;
    decoder->escaped = false;
    if (rest && whole) {
        decoder->reply_n = 0;
        decoder->state = decoder->bytes[decoder->at] == '[' ? IN_CSI : IN_STRING;
        eat(decoder, 1);
    }
    return FOUND_NOTHING;
}

static enum found decode_character(struct key_decode *decoder, bool idle, struct key *key) {
    struct str rest = {(const char *)decoder->bytes + decoder->at, decoder->n - decoder->at};
    uint32_t cp;
    size_t n = text_decode(rest, &cp);
    if (cp == TEXT_BAD && n == rest.n && n < 4 && !idle && (unsigned char)rest.s[0] >= 0xC2 &&
        (unsigned char)rest.s[0] <= 0xF4) /* the rest may come */
        return FOUND_PART;
    eat(decoder, n);
    if (cp == TEXT_BAD)
        return found(key, KEY_NONE);
    return found(key, cp < 0x20 || cp == 0x7F ? key_of_control((unsigned char)cp) : cp);
}

/* Between the brackets of a paste. */
static enum found decode_paste(struct key_decode *decoder, bool idle, struct key *key) {
    static const char end[] = "\033[201~";
    const unsigned char *s = decoder->bytes + decoder->at;
    size_t n = decoder->n - decoder->at, compared = n < sizeof end - 1 ? n : sizeof end - 1;
    if (s[0] == ESC) {
        if (memcmp(s, end, compared) != 0) {
            eat(decoder, 1);
            return FOUND_NOTHING;
        }
        if (compared < sizeof end - 1)
            return FOUND_PART;
        eat(decoder, compared);
        decoder->state = GROUND;
        return FOUND_NOTHING;
    }
    if (!decoder->paste_wanted) {
        const unsigned char *esc = memchr(s, ESC, n);
        eat(decoder, esc == NULL ? n : (size_t)(esc - s));
        return FOUND_NOTHING;
    }
    enum found result = decode_character(decoder, idle, key);
    if (result == FOUND_KEY && key->code == KEY_TABBED)
        key->code = ' ';
    /* controls and line ends */
    return result == FOUND_KEY && key->code > 0x10FFFF ? FOUND_NOTHING : result;
}

/* One channel of a colour: one to four hexadecimal digits, as a share of the greatest. */
static bool channel(const char **s, double *out) {
    unsigned value = 0, most = 0;
    for (; most < 0xFFFF && isxdigit((unsigned char)**s); (*s)++) {
        char c = **s;
        value = value * 16 + (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        most = most * 16 + 15;
    }
    *out = most > 0 ? (double)value / most : 0;
    return most > 0;
}

/* The answer to OSC 11: "11;rgb:ffff/ffff/ffff", or "rgba:" with one more. */
static void take_reply(struct key_decode *decoder) {
    double rgb[3];
    const char *s = decoder->reply;
    size_t n = decoder->reply_n;
    decoder->reply_n = 0;
    if (n >= sizeof decoder->reply) /* too long, or no OSC */
        return;
    decoder->reply[n] = '\0';
    if (strncmp(s, "11;rgb", 6) != 0)
        return;
    s += s[6] == 'a' ? 7 : 6;
    for (int i = 0; i < 3; i++)
        if (*s++ != (i == 0 ? ':' : '/') || !channel(&s, &rgb[i]))
            return;
    decoder->asked = false;
    decoder->answered = true;
    decoder->light = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 0.5;
}

/* Up to the end of a string: BEL, or ESC \, of which ESC alone will do. */
static enum found decode_string(struct key_decode *decoder) {
    const unsigned char *s = decoder->bytes + decoder->at;
    size_t n = decoder->n - decoder->at;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == ESC && i + 1 == n) {
            eat(decoder, i);
            return FOUND_PART;
        }
        if (s[i] == '\a' || s[i] == ESC)
            take_reply(decoder);
        else if (decoder->reply_n < sizeof decoder->reply)
            decoder->reply[decoder->reply_n++] = (char)s[i];
        if (s[i] == '\a' || s[i] == 0x18 || s[i] == 0x1A || s[i] == ESC) {
            if (s[i] != ESC)
                eat(decoder, i + 1);
            else /* another escape may begin */
                eat(decoder, s[i + 1] == '\\' ? i + 2 : i);
            decoder->state = GROUND;
            return FOUND_NOTHING;
        }
    }
    eat(decoder, n);
    return FOUND_NOTHING;
}

static enum found decode_csi_rest(struct key_decode *decoder) {
    const unsigned char *s = decoder->bytes + decoder->at;
    size_t n = decoder->n - decoder->at;
    for (size_t i = 0; i < n; i++)
        if (s[i] < 0x20 || s[i] >= 0x40) {
            eat(decoder, s[i] >= 0x40 && s[i] < 0x7F ? i + 1 : i);
            decoder->state = GROUND;
            return FOUND_NOTHING;
        }
    eat(decoder, n);
    return FOUND_NOTHING;
}

bool key_decode_next(struct key_decode *decoder, bool in_prompt, bool idle, struct key *key) {
    if (idle && decoder->state != GROUND) { /* an incomplete sequence is given up */
        /* an ESC kept for its backslash */
        if (decoder->state == PASTE || decoder->n - decoder->at <= 1)
            decoder->at = decoder->n;
        decoder->state = GROUND;
    }
    while (decoder->at < decoder->n) {
        enum found result = decoder->escaped ? decode_rest(decoder, idle) : FOUND_NOTHING;
        if (result == FOUND_PART)
            break;
        if (decoder->state == PASTE)
            result = decode_paste(decoder, idle, key);
        else if (decoder->state == IN_STRING)
            result = decode_string(decoder);
        else if (decoder->state == IN_CSI)
            result = decode_csi_rest(decoder);
        else if (decoder->bytes[decoder->at] == ESC)
            result = decode_escape(decoder, in_prompt, idle, key);
        else
            result = decode_character(decoder, idle, key);
        if (result == FOUND_KEY)
            return true;
        if (result == FOUND_PART)
            break;
    }
    *key = (struct key){0};
    return false;
}

/* Whether the decoder makes this key of the sequence without the terminal's description. */
static bool is_known(const char *sequence, size_t n, uint32_t code) {
    struct key_decode probe;
    struct key key = {0};
    key_decode_init(&probe);
    key_decode_feed(&probe, sequence, n);
    return key_decode_next(&probe, false, false, &key) && key.code == code && probe.at == probe.n;
}

void key_decode_define(struct key_decode *decoder, const char *sequence, uint32_t code) {
    size_t n = strlen(sequence), most = sizeof decoder->extra / sizeof *decoder->extra;
    struct key_sequence *extra = &decoder->extra[decoder->extra_n];
    if (n < 2 || n > sizeof extra->bytes || sequence[0] != ESC ||
        (size_t)decoder->extra_n >= most || is_known(sequence, n, code))
        return;
    *extra = (struct key_sequence){.n = (uint8_t)n, .code = code};
    memcpy(extra->bytes, sequence, n);
    decoder->extra_n++;
}
