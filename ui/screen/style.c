/* style.c - the table of looks. Colours are palette numbers up to 256 colours; true colours are
 * computed from them.
 *
 * Panes keep the terminal's own background, dark or light, and the table has a colour for either.
 * One accent (amber, brown on light) marks the current place. */
#include "ui/screen/style.h"

#include <stddef.h>
#include <stdio.h>

static enum color_depth current = COLOR_MONO, terminal = COLOR_MONO;
/* light: by theme; made: whether `looks` and `series` are of all these */
static bool told_light, light, made;
static enum style_theme theme;

struct entry { /* one role at one depth */
    int16_t fg, bg;
    uint8_t attr;
};

#define DEF LOOK_DEFAULT
#define BOLD ATTR_BOLD
#define DIM ATTR_DIM
#define REV ATTR_REVERSE
#define LINE ATTR_UNDERLINE

/* few[], many[]: on dark, on light. 16 colours take the row of 8: the bright half of a palette is
 * often redefined (greys in Solarized). Blue cannot be read on black; green, yellow and cyan cannot
 * be read on white. */
static const struct {
    struct entry mono, few[2], many[2];
} roles[ROLE_COUNT] = {
    [ROLE_TEXT] = {{DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}, {{DEF, DEF, 0}, {DEF, DEF, 0}}},
    [ROLE_TITLE] = {{DEF, DEF, REV}, {{7, 4, BOLD}, {7, 4, BOLD}}, {{253, 237, 0}, {235, 252, 0}}},
    [ROLE_TITLE_WARN] = {{DEF, DEF, BOLD | REV},
                         {{3, 4, BOLD}, {3, 4, BOLD}},
                         {{214, 237, BOLD}, {88, 252, BOLD}}},
    [ROLE_DIM] = {{DEF, DEF, 0},
                  {{DEF, DEF, DIM}, {DEF, DEF, DIM}},
                  {{245, DEF, 0}, {242, DEF, 0}}},
    [ROLE_RULER] = {{DEF, DEF, 0}, {{6, DEF, 0}, {4, DEF, 0}}, {{245, DEF, 0}, {242, DEF, 0}}},
    [ROLE_CURSOR] = {{DEF, DEF, BOLD},
                     {{3, DEF, BOLD}, {5, DEF, BOLD}},
                     {{172, DEF, BOLD}, {130, DEF, BOLD}}},
    [ROLE_GUTTER] = {{DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}, {{DEF, DEF, 0}, {DEF, DEF, 0}}},
    [ROLE_GUTTER_CURRENT] = {{DEF, DEF, BOLD},
                             {{3, DEF, BOLD}, {5, DEF, BOLD}},
                             {{172, DEF, BOLD}, {130, DEF, BOLD}}},
    [ROLE_HEADER] = {{DEF, DEF, BOLD},
                     {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}},
                     {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}}},
    [ROLE_OVERVIEW] = {{DEF, DEF, 0}, {{6, DEF, 0}, {4, DEF, 0}}, {{67, DEF, 0}, {67, DEF, 0}}},
    [ROLE_WINDOW_MARK] = {{DEF, DEF, BOLD},
                          {{3, DEF, BOLD}, {5, DEF, BOLD}},
                          {{172, DEF, BOLD}, {130, DEF, BOLD}}},
    [ROLE_DENSITY] = {{DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}, {{60, DEF, 0}, {245, DEF, 0}}},
    [ROLE_HIT] = {{DEF, DEF, BOLD}, {{0, 3, 0}, {0, 3, 0}}, {{16, 220, 0}, {16, 220, 0}}},
    [ROLE_HIT_BAR] = {{DEF, DEF, BOLD}, {{3, 4, BOLD}, {0, 3, 0}}, {{220, 58, 0}, {16, 220, 0}}},
    [ROLE_STRANGE] = {{DEF, DEF, LINE},
                      {{5, DEF, LINE}, {5, DEF, LINE}},
                      {{133, DEF, LINE}, {127, DEF, LINE}}},
    [ROLE_TAB] = {{DEF, DEF, 0},
                  {{DEF, DEF, DIM}, {DEF, DEF, DIM}},
                  {{245, DEF, 0}, {242, DEF, 0}}},
    [ROLE_TAB_CURRENT] = {{DEF, DEF, REV},
                          {{3, DEF, BOLD}, {5, DEF, BOLD}},
                          {{172, DEF, BOLD}, {130, DEF, BOLD}}},
    [ROLE_STATUS] = {{DEF, DEF, REV}, {{7, 4, 0}, {7, 4, 0}}, {{250, 237, 0}, {237, 252, 0}}},
    [ROLE_HINT] = {{DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}, {{245, DEF, 0}, {242, DEF, 0}}},
    [ROLE_HINT_KEY] = {{DEF, DEF, BOLD},
                       {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}},
                       {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}}},
    [ROLE_WARN] = {{DEF, DEF, BOLD},
                   {{3, DEF, BOLD}, {5, DEF, BOLD}},
                   {{172, DEF, BOLD}, {130, DEF, BOLD}}},
    [ROLE_ERROR] = {{DEF, DEF, BOLD},
                    {{1, DEF, BOLD}, {1, DEF, BOLD}},
                    {{167, DEF, BOLD}, {160, DEF, BOLD}}},
    [ROLE_PROMPT] = {{DEF, DEF, BOLD},
                     {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}},
                     {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}}},
    [ROLE_INSTANT] = {{DEF, DEF, BOLD},
                      {{DEF, DEF, DIM}, {DEF, DEF, DIM}},
                      {{248, DEF, 0}, {240, DEF, 0}}},
    [ROLE_LABEL] = {{DEF, DEF, 0}, {{6, DEF, 0}, {4, DEF, 0}}, {{245, DEF, 0}, {242, DEF, 0}}},
    [ROLE_VALUE] = {{DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}, {{DEF, DEF, 0}, {DEF, DEF, 0}}},
    [ROLE_RUNNING] = {{DEF, DEF, 0}, {{2, DEF, 0}, {4, DEF, 0}}, {{71, DEF, 0}, {28, DEF, 0}}},
    [ROLE_RUNNABLE] = {{DEF, DEF, 0}, {{3, DEF, 0}, {1, DEF, 0}}, {{172, DEF, 0}, {130, DEF, 0}}},
    [ROLE_BLOCKED] = {{DEF, DEF, 0},
                      {{DEF, DEF, DIM}, {DEF, DEF, DIM}},
                      {{245, DEF, 0}, {242, DEF, 0}}},
    [ROLE_CURVE] = {{DEF, DEF, 0}, {{6, DEF, 0}, {4, DEF, 0}}, {{67, DEF, 0}, {67, DEF, 0}}},
    [ROLE_ARROW] = {{DEF, DEF, BOLD},
                    {{5, DEF, BOLD}, {5, DEF, BOLD}},
                    {{133, DEF, BOLD}, {127, DEF, BOLD}}},
    [ROLE_ARROW_DIM] = {{DEF, DEF, 0}, {{5, DEF, 0}, {5, DEF, 0}}, {{133, DEF, 0}, {97, DEF, 0}}},
    [ROLE_FADED] = {{DEF, DEF, 0},
                    {{DEF, DEF, DIM | REV}, {DEF, DEF, DIM | REV}},
                    {{250, 238, 0}, {238, 252, 0}}},
    [ROLE_GROUND] = {{DEF, DEF, 0},
                     {{DEF, DEF, LINE}, {DEF, DEF, LINE}},
                     {{252, 235, 0}, {235, 254, 0}}},
    [ROLE_GAP] = {{DEF, DEF, 0}, {{0, DEF, 0}, {7, DEF, 0}}, {{16, DEF, 0}, {231, DEF, 0}}},
};

#define HUES STYLE_SERIES
#define FEW_HUES 5

/* Ten colours out of the 6x6x6 cube for either background. Any two of them differ by 10 or more
 * (CIEDE2000), also in simulated protan, deutan and tritan vision. So do they from background,
 * slate and hits. Text on them has a contrast of 4.5 to 1 or more. tests/unit/ui/suite_style.c
 * computes this. */
static const uint8_t hues[2][HUES] = {
    {64, 37, 67, 183, 168, 217, 137, 116, 105, 186},
    {125, 32, 58, 136, 25, 71, 96, 211, 65, 111},
};
static const uint8_t labels[2][HUES] = {
    {16, 16, 16, 16, 16, 16, 16, 16, 16, 16},
    {231, 16, 231, 16, 231, 16, 231, 16, 16, 16},
};

/* Muted colours for names that are not ranked: they differ by 8 or more from all of these, and
 * stand out from the background by 2.5 to 1 or more. */
#define MUTED 3
static const uint8_t muted[2][MUTED] = {{240, 95, 23}, {103, 23, 238}};
static const uint8_t muted_labels[2][MUTED] = {{231, 231, 231}, {16, 231, 231}};
static const struct entry few_muted = {0, 7, 0};

static const struct entry few_hues[2][FEW_HUES] = {
    {{0, 6, 0}, {0, 3, 0}, {0, 2, 0}, {0, 5, 0}, {7, 1, 0}},
    {{7, 4, 0}, {0, 2, 0}, {7, 1, 0}, {0, 6, 0}, {0, 5, 0}},
};

/* A palette number of the cube or the greys as true colour; the first 16 stay what the user made of
 * them. */
static int32_t true_color(int32_t color) {
    static const int32_t level[6] = {0, 95, 135, 175, 215, 255};
    if (color < 16)
        return color;
    if (color >= 232) {
        int32_t grey = 8 + (color - 232) * 10;
        return 0x1000000 | grey << 16 | grey << 8 | grey;
    }
    color -= 16;
    return 0x1000000 | level[color / 36] << 16 | level[color / 6 % 6] << 8 | level[color % 6];
}

static struct look make_look(struct entry entry) {
    struct look look = {entry.fg, entry.bg, entry.attr};
    if (current == COLOR_TRUE) {
        look.fg = true_color(look.fg);
        look.bg = true_color(look.bg);
    }
    return look;
}

/* Made once: a frame asks for thousands. */
static struct look looks[ROLE_COUNT], series[HUES], muted_looks[MUTED];

/* The names that have colours of their own, by colour; all 0: none is ranked. */
static struct {
    bool any;
    uint32_t hash;
} ranked[HUES];
static bool any_ranked;

/* The looks that style_change() has set: of each role, then of each slice. */
static struct {
    bool any;
    struct look look;
} changes[ROLE_COUNT + HUES];

/* Roles that differ with high contrast: text on the terminal's own colours, or 7 to 1 and more. */
static const struct {
    uint8_t role;
    struct entry few, many[2];
} contrast[] = {
    {ROLE_TITLE, {DEF, DEF, REV | BOLD}, {{16, 231, BOLD}, {231, 16, BOLD}}},
    {ROLE_TITLE_WARN,
     {DEF, DEF, REV | BOLD | LINE},
     {{88, 231, BOLD | LINE}, {226, 16, BOLD | LINE}}},
    {ROLE_STATUS, {DEF, DEF, REV}, {{16, 231, 0}, {231, 16, 0}}},
    {ROLE_DIM, {DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}},
    {ROLE_RULER, {DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}},
    {ROLE_TAB, {DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}},
    {ROLE_TAB_CURRENT, {DEF, DEF, REV | BOLD}, {{DEF, DEF, REV | BOLD}, {DEF, DEF, REV | BOLD}}},
    {ROLE_HINT, {DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}},
    {ROLE_LABEL, {DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}},
    {ROLE_BLOCKED, {DEF, DEF, 0}, {{DEF, DEF, 0}, {DEF, DEF, 0}}},
    {ROLE_RUNNING, {2, DEF, BOLD}, {{120, DEF, BOLD}, {22, DEF, BOLD}}},
    {ROLE_RUNNABLE, {3, DEF, BOLD}, {{220, DEF, BOLD}, {88, DEF, BOLD}}},
    {ROLE_INSTANT, {DEF, DEF, BOLD}, {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}}},
    {ROLE_DENSITY, {DEF, DEF, 0}, {{250, DEF, 0}, {238, DEF, 0}}},
    {ROLE_OVERVIEW, {DEF, DEF, 0}, {{117, DEF, 0}, {18, DEF, 0}}},
    {ROLE_CURVE, {DEF, DEF, 0}, {{117, DEF, 0}, {18, DEF, 0}}},
    {ROLE_CURSOR, {DEF, DEF, BOLD}, {{226, DEF, BOLD}, {88, DEF, BOLD}}},
    {ROLE_GUTTER_CURRENT, {DEF, DEF, REV | BOLD}, {{226, DEF, BOLD}, {88, DEF, BOLD}}},
    {ROLE_WINDOW_MARK, {DEF, DEF, BOLD}, {{226, DEF, BOLD}, {88, DEF, BOLD}}},
    {ROLE_WARN, {DEF, DEF, BOLD}, {{226, DEF, BOLD}, {88, DEF, BOLD}}},
    {ROLE_HIT_BAR, {3, 4, BOLD}, {{226, 236, 0}, {16, 220, 0}}},
    {ROLE_ERROR, {DEF, DEF, REV | BOLD}, {{231, 124, BOLD}, {231, 124, BOLD}}},
    {ROLE_STRANGE, {DEF, DEF, LINE}, {{219, DEF, LINE}, {90, DEF, LINE}}},
    {ROLE_ARROW, {DEF, DEF, BOLD}, {{219, DEF, BOLD}, {90, DEF, BOLD}}},
    {ROLE_ARROW_DIM, {DEF, DEF, 0}, {{219, DEF, 0}, {90, DEF, 0}}},
    {ROLE_FADED, {DEF, DEF, REV}, {{255, 238, 0}, {234, 252, 0}}},
};

static struct look change_look(struct look look, uint8_t mono);

static void make(void) {
    bool few = current < COLOR_256, mono = current == COLOR_MONO;
    for (int i = 0; i < ROLE_COUNT; i++) {
        const struct entry *colored = few ? &roles[i].few[light] : &roles[i].many[light];
        looks[i] = make_look(mono ? roles[i].mono : *colored);
    }
    for (size_t i = 0; theme == STYLE_CONTRAST && !mono && i < sizeof contrast / sizeof *contrast;
         i++)
        looks[contrast[i].role] = make_look(few ? contrast[i].few : contrast[i].many[light]);
    for (int i = 0; i < HUES; i++) {
        struct entry many = {labels[light][i], hues[light][i], 0};
        struct entry colored = few ? few_hues[light][i % FEW_HUES] : many;
        series[i] = make_look(mono ? roles[ROLE_TEXT].mono : colored);
    }
    for (int i = 0; i < MUTED; i++) {
        struct entry many = {muted_labels[light][i], muted[light][i], 0};
        muted_looks[i] = mono ? series[0] : make_look(few ? few_muted : many);
    }
    for (int i = 0; i < ROLE_COUNT + HUES; i++)
        if (changes[i].any)
            *(i < ROLE_COUNT ? &looks[i] : &series[i - ROLE_COUNT]) =
                change_look(changes[i].look, i < ROLE_COUNT ? roles[i].mono.attr : 0);
    if (changes[ROLE_TITLE].any && !changes[ROLE_TITLE_WARN].any)
        looks[ROLE_TITLE_WARN].bg = looks[ROLE_TITLE].bg;
    made = true;
}

void style_init(enum color_depth depth) {
    terminal = depth;
    current = theme == STYLE_MONO ? COLOR_MONO : depth;
    light = theme == STYLE_LIGHT || (theme != STYLE_DARK && told_light);
    made = false;
}

void style_theme(enum style_theme chosen) {
    theme = chosen;
    for (int i = 0; i < ROLE_COUNT + HUES; i++)
        changes[i].any = false;
    style_init(terminal);
}

int style_role(struct str name) {
    static const char *const names[ROLE_COUNT] = {
        [ROLE_TEXT] = "text",
        [ROLE_TITLE] = "title",
        [ROLE_DIM] = "dim",
        [ROLE_RULER] = "ruler",
        [ROLE_CURSOR] = "cursor",
        [ROLE_GUTTER] = "gutter",
        [ROLE_GUTTER_CURRENT] = "gutter-current",
        [ROLE_HEADER] = "header",
        [ROLE_OVERVIEW] = "overview",
        [ROLE_WINDOW_MARK] = "window",
        [ROLE_DENSITY] = "density",
        [ROLE_HIT] = "hit",
        [ROLE_HIT_BAR] = "hit-bar",
        [ROLE_STRANGE] = "strange",
        [ROLE_TAB] = "tab",
        [ROLE_TAB_CURRENT] = "tab-current",
        [ROLE_STATUS] = "status",
        [ROLE_HINT] = "hint",
        [ROLE_HINT_KEY] = "hint-key",
        [ROLE_WARN] = "warn",
        [ROLE_ERROR] = "error",
        [ROLE_PROMPT] = "prompt",
        [ROLE_INSTANT] = "instant",
        [ROLE_LABEL] = "label",
        [ROLE_VALUE] = "value",
        [ROLE_RUNNING] = "running",
        [ROLE_RUNNABLE] = "runnable",
        [ROLE_BLOCKED] = "blocked",
        [ROLE_CURVE] = "curve",
        [ROLE_ARROW] = "arrow",
        [ROLE_ARROW_DIM] = "arrow-dim",
        [ROLE_TITLE_WARN] = "title-warn",
        [ROLE_FADED] = "faded",
        [ROLE_GROUND] = "ground",
        [ROLE_GAP] = "gap",
    };
    char slice[16];
    for (int i = 0; i < ROLE_COUNT; i++)
        if (str_eq(name, str_of(names[i])))
            return i;
    for (int i = 0; i < HUES; i++) {
        snprintf(slice, sizeof slice, "slice-%d", i + 1);
        if (str_eq(name, str_of(slice)))
            return ROLE_COUNT + i;
    }
    return -1;
}

void style_change(int role, struct look look) {
    changes[role].any = true;
    changes[role].look = look;
    made = false;
}

/* ---- the nearest colour ---- */

int32_t style_rgb(int32_t color) {
    static const int32_t first[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                      0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                      0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    if (color < 16)
        return first[color];
    return (color < 256 ? true_color(color) : color) & 0xffffff;
}

static int32_t nearest(int32_t color, int32_t from, int32_t to) {
    int32_t want = style_rgb(color), best = from, least = INT32_MAX;
    for (int32_t i = from; i < to; i++) {
        int32_t have = style_rgb(i), distance = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            int32_t by = (want >> shift & 0xff) - (have >> shift & 0xff);
            distance += by * by;
        }
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static int32_t shown_color(int32_t color) {
    if (color == LOOK_DEFAULT || current == COLOR_MONO)
        return LOOK_DEFAULT;
    if (current == COLOR_TRUE)
        return color < 256 ? true_color(color) : color;
    if (current == COLOR_256)
        return color < 256 ? color : nearest(color, 16, 256);
    int32_t few = current == COLOR_16 ? 16 : 8;
    return color < few ? color : nearest(color, 0, few);
}

static struct look change_look(struct look look, uint8_t mono) {
    struct look shown = {shown_color(look.fg), shown_color(look.bg), look.attr};
    if (current == COLOR_MONO)
        shown.attr |= mono;
    return shown;
}

void style_background(bool is_light) {
    told_light = is_light;
    style_init(terminal);
}

bool style_light(void) {
    return light;
}

enum color_depth style_depth(void) {
    return current;
}

struct look style_look(enum role role) {
    if (!made)
        make();
    return looks[role];
}

/* Spreads hashes whose low bits are poor. */
static uint32_t mix(uint32_t h) {
    h ^= h >> 16;
    h *= 0x7feb352dU;
    h ^= h >> 15;
    h *= 0x846ca68bU;
    return h ^ h >> 16;
}

uint32_t style_hues(void) {
    return current < COLOR_256 ? FEW_HUES : HUES;
}

struct look style_series(uint32_t i) {
    if (!made)
        make();
    return series[i % style_hues()];
}

static uint32_t add_byte(uint32_t h, char c) {
    return (h ^ (unsigned char)c) * 16777619u;
}

#define NO_BYTES 2166136261u

uint32_t style_name_hash(struct str name) {
    uint32_t h = NO_BYTES;
    for (size_t i = 0; i < name.n; i++)
        h = add_byte(h, name.s[i]);
    return h;
}

static bool is_digit(char c, bool hex) {
    return (c >= '0' && c <= '9') || (hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

uint32_t style_pattern_hash(struct str name) {
    uint32_t h = NO_BYTES;
    for (size_t i = 0; i < name.n;) {
        if (!is_digit(name.s[i], false)) {
            h = add_byte(h, name.s[i++]);
            continue;
        }
        bool hex = name.s[i] == '0' && name.n - i > 2 && name.s[i + 1] == 'x' &&
                   is_digit(name.s[i + 2], true);
        h = add_byte(h, hex ? 'x' : '0');
        for (i += hex ? 2 : 0; i < name.n && is_digit(name.s[i], hex);)
            i++;
    }
    return h;
}

struct look style_hashed(uint32_t name_hash) {
    return style_series(mix(name_hash));
}

struct look style_slice(uint32_t name_hash) {
    if (!any_ranked)
        return style_hashed(name_hash);
    for (uint32_t i = 0; i < style_hues(); i++)
        if (ranked[i].any && ranked[i].hash == name_hash)
            return style_series(i);
    if (!made)
        make();
    return muted_looks[mix(name_hash) % MUTED];
}

static bool is_among(uint32_t hash, const uint32_t *hashes, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (hashes[i] == hash)
            return true;
    return false;
}

/* The free colour for a name, the one of its hash if that is free. */
static uint32_t free_hue(uint32_t hash) {
    uint32_t i = mix(hash) % style_hues();
    while (ranked[i].any)
        i = (i + 1) % style_hues();
    return i;
}

bool style_rank(const uint32_t *hashes, uint32_t n) {
    bool changed = any_ranked != (n > 0);
    for (uint32_t i = 0; i < HUES; i++) {
        bool stays = ranked[i].any && is_among(ranked[i].hash, hashes, n);
        changed = changed || ranked[i].any != stays;
        ranked[i].any = stays;
    }
    any_ranked = n > 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = 0;
        while (i < HUES && !(ranked[i].any && ranked[i].hash == hashes[k]))
            i++;
        if (i < HUES)
            continue;
        i = free_hue(hashes[k]);
        ranked[i].any = changed = true;
        ranked[i].hash = hashes[k];
    }
    return changed;
}

bool style_ranked(uint32_t i, uint32_t *hash) {
    *hash = ranked[i].hash;
    return ranked[i].any;
}

void style_keep(uint32_t i, uint32_t hash) {
    uint32_t now = 0;
    if (i >= style_hues())
        return;
    while (now < HUES && !(ranked[now].any && ranked[now].hash == hash))
        now++;
    if (now == HUES && ranked[i].any)
        return;
    if (now < HUES)
        ranked[now] = ranked[i];
    ranked[i].any = any_ranked = true;
    ranked[i].hash = hash;
}

struct look style_on(int32_t color) {
    for (uint32_t i = 0; i < HUES; i++) {
        struct look hue = style_series(i);
        if (hue.bg == color)
            return hue;
    }
    for (uint32_t i = 0; i < MUTED; i++)
        if (muted_looks[i].bg == color)
            return muted_looks[i];
    return (struct look){LOOK_DEFAULT, color, 0};
}

int32_t style_quiet(int32_t text) {
    static const int32_t greys[][2] = {{16, 238}, {231, 252}};
    for (size_t i = 0; i < sizeof greys / sizeof *greys; i++) {
        struct look from = make_look((struct entry){greys[i][0], greys[i][1], 0});
        if (current >= COLOR_256 && text == from.fg)
            return from.bg;
    }
    return text;
}

struct look style_selected(struct look look) {
    /* a reversed colour could be black on black: use the terminal's own two */
    if (look.bg != LOOK_DEFAULT)
        look.fg = look.bg = LOOK_DEFAULT;
    look.attr = (uint8_t)((look.attr & ~ATTR_DIM) | ATTR_REVERSE | ATTR_BOLD);
    return look;
}

bool style_eq(struct look a, struct look b) {
    return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}
