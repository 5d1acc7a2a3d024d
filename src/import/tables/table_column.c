/* table_column.c - a list of names, without case, after the unit at their end is cut off. */
#include "src/import/tables/table_column.h"

#include <stdlib.h>

#define NAME_MOST 32 /* bytes of a name with a meaning */

static const struct {
    const char *name;
    enum table_role role;
} names[] = {
    {"ts", TABLE_TIME},          {"time", TABLE_TIME},    {"timestamp", TABLE_TIME},
    {"@timestamp", TABLE_TIME},  {"start", TABLE_TIME},   {"start_time", TABLE_TIME},
    {"begin", TABLE_TIME},       {"dur", TABLE_DURATION}, {"duration", TABLE_DURATION},
    {"elapsed", TABLE_DURATION}, {"end", TABLE_END},      {"stop", TABLE_END},
    {"end_time", TABLE_END},     {"name", TABLE_NAME},    {"event", TABLE_NAME},
    {"op", TABLE_NAME},          {"cat", TABLE_CATEGORY}, {"category", TABLE_CATEGORY},
    {"process", TABLE_PROCESS},  {"pid", TABLE_PID},      {"thread", TABLE_THREAD},
    {"track", TABLE_THREAD},     {"lane", TABLE_THREAD},  {"tid", TABLE_TID},
    {"value", TABLE_VALUE},      {"id", TABLE_ID},        {"flow", TABLE_FLOW},
    {"ph", TABLE_KIND},          {"type", TABLE_KIND},    {"msg", TABLE_MESSAGE},
    {"message", TABLE_MESSAGE},  {"level", TABLE_LEVEL},  {"severity", TABLE_LEVEL},
};

static const struct {
    const char *name;
    size_t n;
    unsigned digits;
} units[] = {{"ns", 2, 0}, {"us", 2, 3}, {"ms", 2, 6}, {"s", 1, 9}};

/* Cuts off a unit as in ts_us, ts (us) and ts[us]. */
static size_t cut_unit(const char *name, size_t n, struct table_column *column) {
    bool bracket = n > 0 && (name[n - 1] == ')' || name[n - 1] == ']');
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t k = units[i].n, end = n - bracket;
        if (end <= k + 1 || memcmp(name + end - k, units[i].name, k) != 0)
            continue;
        char before = name[end - k - 1];
        if (bracket ? before != '(' && before != '[' : before != '_')
            continue;
        column->unit = true;
        column->digits = units[i].digits;
        for (end -= k + 1; end > 0 && name[end - 1] == ' '; end--)
            ;
        return end;
    }
    return n;
}

struct table_column table_column_of(struct str name) {
    struct table_column column = {.role = TABLE_ARGUMENT};
    char lower[NAME_MOST];
    if (name.n == 0 || name.n > NAME_MOST)
        return column;
    for (size_t i = 0; i < name.n; i++)
        lower[i] = (char)(name.s[i] >= 'A' && name.s[i] <= 'Z' ? name.s[i] | 32 : name.s[i]);
    size_t n = cut_unit(lower, name.n, &column);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].name[0] == lower[0] && strlen(names[i].name) == n &&
            memcmp(names[i].name, lower, n) == 0 && (!column.unit || names[i].role <= TABLE_END))
            column.role = names[i].role;
    return column;
}

bool table_column_enough(unsigned roles) {
    const unsigned what = 1u << TABLE_NAME | 1u << TABLE_VALUE | 1u << TABLE_DURATION |
                          1u << TABLE_END | 1u << TABLE_MESSAGE;
    return (roles & 1u << TABLE_TIME) && (roles & what);
}

/* ---- times ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Adds a digit; false: it is beyond 2^63 - 1. */
static bool add_digit(uint64_t *n, char c) {
    uint64_t digit = (uint64_t)(c - '0');
    if (*n > ((uint64_t)INT64_MAX - digit) / 10)
        return false;
    *n = *n * 10 + digit;
    return true;
}

/* The digits after a point fill `digits` places; the next one rounds. */
static bool read_decimal(struct str text, unsigned digits, size_t *i, uint64_t *ns) {
    size_t from = *i;
    *ns = 0;
    while (*i < text.n && is_digit(text.s[*i]))
        if (!add_digit(ns, text.s[(*i)++]))
            return false;
    bool some = *i > from, up = false;
    if (*i < text.n && text.s[*i] == '.') {
        ++*i;
        for (from = *i; *i < text.n && is_digit(text.s[*i]); ++*i) {
            some = true;
            if (*i - from == digits)
                up = text.s[*i] >= '5';
            if (*i - from < digits && !add_digit(ns, text.s[*i]))
                return false;
        }
        digits -= *i - from < digits ? (unsigned)(*i - from) : digits;
    }
    for (; some && digits > 0; digits--)
        if (!add_digit(ns, '0'))
            return false;
    *ns += up;
    return some;
}

static bool two(struct str text, size_t i, int *value) {
    if (i + 2 > text.n || !is_digit(text.s[i]) || !is_digit(text.s[i + 1]))
        return false;
    *value = (text.s[i] - '0') * 10 + text.s[i + 1] - '0';
    return true;
}

/* Days since 1970 of a date of the Gregorian calendar. */
static int64_t days_of(int year, int month, int day) {
    int y = year - (month <= 2), era = y / 400, of_era = y - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return (int64_t)era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* Z, +01:00, +0100, or nothing, which is UTC. */
static bool read_zone(struct str text, size_t i, int64_t *seconds) {
    int hours, minutes = 0;
    *seconds = 0;
    if (i == text.n || (i + 1 == text.n && (text.s[i] == 'Z' || text.s[i] == 'z')))
        return true;
    if ((text.s[i] != '+' && text.s[i] != '-') || !two(text, i + 1, &hours))
        return false;
    size_t rest = i + 3 < text.n && text.s[i + 3] == ':' ? i + 4 : i + 3;
    if (rest < text.n && (!two(text, rest, &minutes) || rest + 2 != text.n))
        return false;
    *seconds = (text.s[i] == '-' ? 1 : -1) * (hours * 3600 + minutes * 60);
    return true;
}

/* 2023-11-14T22:13:20.5Z; a blank may be in place of the T. */
static bool read_date(struct str text, uint64_t *ns) {
    int century, year, month, day, hour, minute, second;
    int64_t zone;
    uint64_t fraction = 0;
    if (text.n < 19 || !two(text, 0, &century) || !two(text, 2, &year) || text.s[4] != '-' ||
        !two(text, 5, &month) || text.s[7] != '-' || !two(text, 8, &day) ||
        (text.s[10] != 'T' && text.s[10] != ' ') || !two(text, 11, &hour) || text.s[13] != ':' ||
        !two(text, 14, &minute) || text.s[16] != ':' || !two(text, 17, &second))
        return false;
    size_t i = 19;
    if (i < text.n && (text.s[i] == '.' || text.s[i] == ',')) {
        char digits[12] = "0.000000000";
        for (size_t k = 2; ++i < text.n && is_digit(text.s[i]); k++)
            if (k < 11)
                digits[k] = text.s[i];
        size_t at = 0;
        read_decimal((struct str){digits, 11}, 9, &at, &fraction);
    }
    year += century * 100;
    if (year < 1970 || year > 2200 || month < 1 || month > 12 || !read_zone(text, i, &zone))
        return false;
    int64_t seconds = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second + zone;
    *ns = seconds < 0 ? 0 : (uint64_t)seconds * UINT64_C(1000000000) + fraction;
    return seconds >= 0;
}

/* 1.7e9, as some writers make of all numbers. */
static bool read_exponent(struct str text, unsigned digits, uint64_t *ns) {
    double value = 0, unit = 1;
    char buf[64], *end;
    if (text.n >= sizeof buf)
        return false;
    memcpy(buf, text.s, text.n);
    buf[text.n] = '\0';
    value = strtod(buf, &end);
    for (; digits > 0; digits--)
        unit *= 10;
    if (end == buf || *end != '\0' || !(value >= 0) || value * unit > 9e18)
        return false;
    *ns = (uint64_t)(value * unit + 0.5);
    return true;
}

enum table_time table_column_time(struct str text, unsigned digits, uint64_t *ns) {
    size_t i = 0;
    while (text.n > 0 && text.s[text.n - 1] == ' ')
        text.n--;
    while (text.n > 0 && text.s[0] == ' ')
        text = (struct str){text.s + 1, text.n - 1};
    if (text.n > 1 && text.s[0] == '-' && is_digit(text.s[1]))
        return TABLE_NEGATIVE;
    if (read_decimal(text, digits, &i, ns) && i == text.n)
        return TABLE_CLOCK;
    if (read_date(text, ns))
        return TABLE_WALL;
    bool number = text.n > 0 && is_digit(text.s[0]) && memchr(text.s, 'e', text.n);
    return number && read_exponent(text, digits, ns) ? TABLE_CLOCK : TABLE_NO_TIME;
}
