/* key.c - a table of names of keys, looked up in both directions. */
#include "ui/screen/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/text.h"

static const struct {
    const char *name;
    uint32_t code;
} names[] = {
    /* if two have the same code, the first one is printed */
    {"lt", '<'},
    {"Space", ' '},
    {"Tab", KEY_TABBED},
    {"S-Tab", KEY_BACKTAB},
    {"Enter", KEY_ENTERED},
    {"Esc", KEY_ESCAPE},
    {"BS", KEY_ERASE},
    {"Up", KEY_CURSOR_UP},
    {"Down", KEY_CURSOR_DOWN},
    {"Left", KEY_CURSOR_LEFT},
    {"Right", KEY_CURSOR_RIGHT},
    {"Home", KEY_TO_HOME},
    {"End", KEY_TO_END},
    {"PgUp", KEY_PAGE_UP},
    {"PgDn", KEY_PAGE_DOWN},
    {"Ins", KEY_INSERT_},
    {"Del", KEY_DELETE_},
    {"gt", '>'},
    {"C-i", KEY_TABBED},
    {"C-m", KEY_ENTERED},
    {"C-j", KEY_ENTERED},
    {"C-h", KEY_ERASE},
    {"C-[", KEY_ESCAPE},
    {"C-Space", KEY_CTRL('@')},
};

static const struct {
    const char *name;
    uint8_t what;
} pointers[] = {
    {"Click:", POINTER_PRESS},      {"Release:", POINTER_RELEASE},      {"Drag:", POINTER_DRAG},
    {"WheelUp:", POINTER_WHEEL_UP}, {"WheelDown:", POINTER_WHEEL_DOWN},
};

const char *key_name(uint32_t code, char buf[16]) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code && code != '>') {
            snprintf(buf, 16, "<%s>", names[i].name);
            return buf;
        }
    if (code > KEY_FUNCTION && code <= KEY_FUNCTION_LAST)
        snprintf(buf, 16, "<F%u>", code - KEY_FUNCTION);
    else if (code > KEY_CTRL_BASE && code < KEY_CTRL_BASE + 0x80)
        snprintf(buf, 16, "<C-%c>", (char)(code - KEY_CTRL_BASE));
    else if (code == KEY_POINTER)
        snprintf(buf, 16, "<Mouse>");
    else if (code == KEY_RESIZED)
        snprintf(buf, 16, "<Resize>");
    else if (code == KEY_NONE || code > 0x10FFFF || text_strange(code))
        snprintf(buf, 16, "<U+%04X>", code);
    else
        buf[text_utf8(code, buf)] = '\0';
    return buf;
}

/* "12,3" or "80x24". */
static bool parse_pair(const char *s, char separator, struct key *key) {
    int x = 0, y = 0;
    if (*s < '0' || *s > '9')
        return false;
    for (; *s >= '0' && *s <= '9'; s++)
        x = x < 10000 ? x * 10 + *s - '0' : x;
    if (*s++ != separator || *s < '0' || *s > '9')
        return false;
    for (; *s >= '0' && *s <= '9'; s++)
        y = y < 10000 ? y * 10 + *s - '0' : y;
    key->x = x;
    key->y = y;
    return *s == '\0';
}

/* A byte below 0x20, or DEL, as a key. */
uint32_t key_of_control(unsigned char byte) {
    switch (byte) {
    case '\b':
    case 0x7F:
        return KEY_ERASE;
    case '\t':
        return KEY_TABBED;
    case '\n':
    case '\r':
        return KEY_ENTERED;
    case 0x1B:
        return KEY_ESCAPE;
    default:
        return KEY_CTRL(byte >= 1 && byte <= 26 ? byte + 'a' - 1u : byte + '@' + 0u);
    }
}

/* A name without its brackets. */
static bool parse_name(const char *name, struct key *key) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i].name, name) == 0) {
            key->code = names[i].code;
            return true;
        }
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        size_t n = strlen(pointers[i].name);
        if (strncasecmp(pointers[i].name, name, n) == 0) {
            key->code = KEY_POINTER;
            key->what = pointers[i].what;
            return parse_pair(name + n, ',', key);
        }
    }
    if (strncasecmp(name, "Resize:", 7) == 0) {
        key->code = KEY_RESIZED;
        return parse_pair(name + 7, 'x', key);
    }
    if ((name[0] == 'C' || name[0] == 'c') && name[1] == '-' && name[2] != '\0' &&
        name[3] == '\0') {
        char c = name[2] >= 'a' && name[2] <= 'z' ? (char)(name[2] - 32) : name[2];
        key->code = c >= '@' && c <= '_' ? key_of_control((unsigned char)(c - '@')) : KEY_NONE;
        return key->code != KEY_NONE;
    }
    if ((name[0] == 'F' || name[0] == 'f') && name[1] >= '1' && name[1] <= '9') {
        int number = name[1] - '0';
        if (name[2] >= '0' && name[2] <= '9' && name[3] == '\0')
            number = number * 10 + name[2] - '0';
        else if (name[2] != '\0')
            return false;
        key->code = KEY_FUNCTION + (uint32_t)number;
        return number <= 12;
    }
    return false;
}

bool key_parse(const char **keys, struct key *key) {
    *key = (struct key){0};
    const char *s = *keys;
    if (*s == '\0')
        return false;
    if (*s == '<') {
        char name[32];
        const char *end = strchr(s, '>');
        size_t n = end == NULL ? 0 : (size_t)(end - s - 1);
        if (n == 0 || n >= sizeof name)
            return false;
        memcpy(name, s + 1, n);
        name[n] = '\0';
        if (!parse_name(name, key))
            return false;
        *keys = end + 1;
        return true;
    }
    unsigned char c = (unsigned char)*s;
    size_t n = 1;
    if (c >= 0x80) { /* one UTF-8 character; text.h checks it */
        struct str rest = {s, strnlen(s, 4)};
        n = text_decode(rest, &key->code);
        if (key->code == TEXT_BAD)
            return false;
    } else {
        key->code = c < 0x20 || c == 0x7F ? key_of_control(c) : c;
    }
    *keys = s + n;
    return true;
}
