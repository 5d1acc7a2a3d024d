/* kernel_fields.c - finds fields by their keys, which are words before `=`. */
#include "src/import/kernel/kernel_fields.h"

#include "src/import/json/json_read.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool is_key(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct str kernel_fields_trimmed(struct str s) {
    while (s.n > 0 && is_blank(s.s[s.n - 1]))
        s.n--;
    while (s.n > 0 && is_blank(s.s[0])) {
        s.s++;
        s.n--;
    }
    return s;
}

/* The begin of the key whose `=` is at i; i: it is none. */
static size_t key_at(struct str text, size_t from, size_t i) {
    size_t k = i;
    while (k > from && is_key(text.s[k - 1]))
        k--;
    bool begins =
        k == 0 || (k > from && (is_blank(text.s[k - 1]) || strchr(",({[", text.s[k - 1])));
    return begins ? k : i;
}

/* The next field at or after `from`: the place of its key, and of its `=`. False: there is none. */
static bool next_field(struct str text, size_t from, size_t *key, size_t *equals) {
    for (size_t i = from; i < text.n; i = *equals + 1) {
        const char *at = memchr(text.s + i, '=', text.n - i);
        if (at == NULL)
            return false;
        *equals = (size_t)(at - text.s);
        *key = key_at(text, i, *equals);
        if (*key < *equals)
            return true;
    }
    return false;
}

static struct str value_of(struct str text, size_t from, size_t to) {
    struct str value = kernel_fields_trimmed((struct str){text.s + from, to - from});
    while (value.n > 0 && (value.s[value.n - 1] == ',' || value.s[value.n - 1] == ';'))
        value.n--;
    return value;
}

struct kernel_fields kernel_fields_read(struct str text, struct kernel_field *v, size_t most) {
    struct kernel_fields fields = {.before = text, .rest = {"", 0}};
    size_t key, equals, from = 0;
    bool more = next_field(text, 0, &key, &equals);
    if (more)
        fields.before.n = key;
    fields.before = kernel_fields_trimmed(fields.before);
    for (; more && fields.n < most; fields.n++) {
        v[fields.n].key = (struct str){text.s + key, equals - key};
        from = equals + 1;
        more = next_field(text, from, &key, &equals);
        v[fields.n].value = value_of(text, from, more ? key : text.n);
    }
    if (more)
        fields.rest = (struct str){text.s + key, text.n - key};
    return fields;
}

bool kernel_fields_last(struct str text, struct str key, struct str *value) {
    size_t i = text.n, at, equals, end;
    for (; i-- > 0;) {
        bool first = i == 0 && text.n >= key.n - 1 && memcmp(text.s, key.s + 1, key.n - 1) == 0;
        if (!first && !(i + key.n <= text.n && memcmp(text.s + i, key.s, key.n) == 0))
            continue;
        at = i + key.n - first;
        end = next_field(text, at, &i, &equals) ? i : text.n;
        *value = value_of(text, at, end);
        return true;
    }
    return false;
}

bool kernel_fields_take_number(struct str *text, struct str key, int64_t *value) {
    size_t i = text->n;
    while (i > 0 && text->s[i - 1] >= '0' && text->s[i - 1] <= '9')
        i--;
    i -= i > 0 && text->s[i - 1] == '-';
    if (i < key.n || memcmp(text->s + i - key.n, key.s, key.n) != 0 ||
        !json_read_i64((struct str){text->s + i, text->n - i}, value))
        return false;
    text->n = i - key.n;
    return true;
}

bool kernel_fields_hex(struct str s, uint64_t *value) {
    if (s.n < 3 || s.n > 18 || s.s[0] != '0' || s.s[1] != 'x')
        return false;
    *value = 0;
    for (size_t i = 2; i < s.n; i++) {
        int digit = json_read_hex(s.s[i]);
        if (digit < 0)
            return false;
        *value = *value << 4 | (uint64_t)digit;
    }
    return true;
}
