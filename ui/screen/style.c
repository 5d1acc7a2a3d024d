/* style.c - the table of looks. Colours are palette numbers up to 256 colours; true colours are computed from them.
 *
 * Panes keep the terminal's own background, so each text colour is of middle lightness: readable on black and on white.
 * One accent (amber) marks the current place. */
#include "ui/screen/style.h"

#include <stddef.h>

static enum color_depth current = COLOR_MONO;

struct entry { /* one role at one depth */
    int16_t fg, bg;
    uint8_t attr;
};

#define DEF LOOK_DEFAULT
#define BOLD ATTR_BOLD
#define DIM ATTR_DIM
#define REV ATTR_REVERSE
#define LINE ATTR_UNDERLINE

/* 16 colours take the row of 8: the bright half of a palette is often redefined (greys in Solarized). */
static const struct {
    struct entry mono, few, many;
} roles[ROLE_COUNT] = {
    [ROLE_TEXT] = {{DEF, DEF, 0}, {DEF, DEF, 0}, {DEF, DEF, 0}},
    [ROLE_TITLE] = {{DEF, DEF, REV}, {7, 4, BOLD}, {253, 237, 0}},
    [ROLE_DIM] = {{DEF, DEF, 0}, {DEF, DEF, DIM}, {244, DEF, 0}},
    [ROLE_RULER] = {{DEF, DEF, 0}, {6, DEF, 0}, {244, DEF, 0}},
    [ROLE_CURSOR] = {{DEF, DEF, BOLD}, {3, DEF, BOLD}, {172, DEF, BOLD}},
    [ROLE_GUTTER] = {{DEF, DEF, 0}, {DEF, DEF, 0}, {DEF, DEF, 0}},
    [ROLE_GUTTER_CURRENT] = {{DEF, DEF, BOLD}, {3, DEF, BOLD}, {172, DEF, BOLD}},
    [ROLE_HEADER] = {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}, {DEF, DEF, BOLD}},
    [ROLE_OVERVIEW] = {{DEF, DEF, 0}, {4, DEF, 0}, {67, DEF, 0}},
    [ROLE_WINDOW_MARK] = {{DEF, DEF, BOLD}, {3, DEF, BOLD}, {172, DEF, BOLD}},
    [ROLE_DENSITY] = {{DEF, DEF, 0}, {6, DEF, 0}, {67, DEF, 0}},
    [ROLE_HIT] = {{DEF, DEF, BOLD}, {0, 3, 0}, {16, 220, 0}},
    [ROLE_STRANGE] = {{DEF, DEF, LINE}, {5, DEF, LINE}, {133, DEF, LINE}},
    [ROLE_TAB] = {{DEF, DEF, 0}, {DEF, DEF, DIM}, {244, DEF, 0}},
    [ROLE_TAB_CURRENT] = {{DEF, DEF, REV}, {3, DEF, BOLD}, {172, DEF, BOLD}},
    [ROLE_STATUS] = {{DEF, DEF, REV}, {7, 4, 0}, {250, 237, 0}},
    [ROLE_HINT] = {{DEF, DEF, 0}, {DEF, DEF, 0}, {244, DEF, 0}},
    [ROLE_HINT_KEY] = {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}, {DEF, DEF, BOLD}},
    [ROLE_WARN] = {{DEF, DEF, BOLD}, {3, DEF, BOLD}, {172, DEF, BOLD}},
    [ROLE_ERROR] = {{DEF, DEF, BOLD}, {1, DEF, BOLD}, {167, DEF, BOLD}},
    [ROLE_PROMPT] = {{DEF, DEF, BOLD}, {DEF, DEF, BOLD}, {DEF, DEF, BOLD}},
    [ROLE_INSTANT] = {{DEF, DEF, BOLD}, {5, DEF, BOLD}, {133, DEF, BOLD}},
    [ROLE_LABEL] = {{DEF, DEF, 0}, {6, DEF, 0}, {244, DEF, 0}},
    [ROLE_VALUE] = {{DEF, DEF, 0}, {DEF, DEF, 0}, {DEF, DEF, 0}},
    [ROLE_RUNNING] = {{DEF, DEF, 0}, {2, DEF, 0}, {65, DEF, 0}},
    [ROLE_RUNNABLE] = {{DEF, DEF, 0}, {3, DEF, 0}, {172, DEF, 0}},
    [ROLE_BLOCKED] = {{DEF, DEF, 0}, {DEF, DEF, DIM}, {244, DEF, 0}},
    [ROLE_CURVE] = {{DEF, DEF, 0}, {6, DEF, 0}, {67, DEF, 0}},
    [ROLE_ARROW] = {{DEF, DEF, BOLD}, {5, DEF, BOLD}, {133, DEF, BOLD}},
    [ROLE_ARROW_DIM] = {{DEF, DEF, 0}, {5, DEF, 0}, {133, DEF, 0}},
};

/* Twelve hues out of the 6x6x6 cube. The closest two differ by 20 CIELAB units; by 14, 14 and 11 in simulated protan,
 * deutan and tritan vision. (2 is just visible side by side.) Black text on any has a contrast of 5 to 1 or
 * more. The second of each is the same hue lighter or darker. */
static const uint8_t hues[12][2] = {
    {74, 117}, /* sky */
    {209, 215}, /* salmon */
    {150, 107}, /* light green */
    {169, 175}, /* magenta */
    {185, 143}, /* khaki */
    {111, 69}, /* periwinkle */
    {80, 37}, /* cyan */
    {217, 174}, /* pink */
    {108, 151}, /* sage */
    {32, 39}, /* blue */
    {100, 142}, /* olive */
    {167, 210}, /* red */
};

/* With eight colours a second look is bold white where white is readable, else underlined black. */
static const struct entry few_hues[6][2] = {
    {{0, 6, 0}, {0, 6, LINE}},
    {{0, 3, 0}, {0, 3, LINE}},
    {{7, 4, 0}, {7, 4, BOLD}},
    {{0, 2, 0}, {0, 2, LINE}},
    {{7, 5, 0}, {7, 5, BOLD}},
    {{7, 1, 0}, {7, 1, BOLD}},
};

/* A palette number of the cube or the greys as true colour; the first 16 stay what the user made of them. */
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

void style_init(enum color_depth depth) {
    current = depth;
}

enum color_depth style_depth(void) {
    return current;
}

struct look style_look(enum role role) {
    if (current == COLOR_MONO)
        return make_look(roles[role].mono);
    return make_look(current < COLOR_256 ? roles[role].few : roles[role].many);
}

/* Spreads hashes whose low bits are poor. */
static uint32_t mix(uint32_t h) {
    h ^= h >> 16;
    h *= 0x7feb352dU;
    h ^= h >> 15;
    h *= 0x846ca68bU;
    return h ^ h >> 16;
}

struct look style_slice(uint32_t name_hash, bool alternate) {
    if (current == COLOR_MONO)
        return make_look(roles[ROLE_TEXT].mono);
    uint32_t h = mix(name_hash);
    if (current < COLOR_256)
        return make_look(few_hues[h % 6][alternate]);
    return make_look((struct entry){16, hues[h % 12][alternate], 0});
}

struct look style_selected(struct look look) {
    if (look.bg != LOOK_DEFAULT) /* a reversed colour could be black on black: use the terminal's own two */
        look.fg = look.bg = LOOK_DEFAULT;
    look.attr = (uint8_t)((look.attr & ~ATTR_DIM) | ATTR_REVERSE | ATTR_BOLD);
    return look;
}

bool style_eq(struct look a, struct look b) {
    return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}
