/* sound_grid.c - classes of characters by utf8proc, apart from src/base/text.c, which is under
 * test. */
#include "tests/lib/sound_grid.h"

#include <utf8proc.h>

static bool is_mark(uint32_t cp) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)cp);
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME;
}

static bool is_hidden(uint32_t cp) {
    if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp > 0x10FFFF)
        return true;
    switch (utf8proc_category((utf8proc_int32_t)cp)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return true;
    default:
        return (cp >= 0xFE00 && cp < 0xFE10) || (cp >= 0x1F1E6 && cp < 0x1F200);
    }
}

bool sound_glyph(const uint32_t cp[3], int width, bool ascii) {
    if (ascii)
        return cp[0] >= 0x20 && cp[0] < 0x7F && cp[1] == 0 && width == 1;
    if (is_hidden(cp[0]) || is_mark(cp[0]) ||
        utf8proc_charwidth((utf8proc_int32_t)cp[0]) != width || width < 1)
        return false;
    for (int i = 1; i < 3 && cp[i]; i++)
        if (is_hidden(cp[i]) || !is_mark(cp[i]))
            return false;
    return cp[1] != 0 || cp[2] == 0;
}

bool sound_grid(const struct grid *grid) {
    for (int y = 0; y < grid->rows; y++) {
        const struct cell *row = &grid->cells[(size_t)y * (size_t)grid->cols];
        for (int x = 0; x < grid->cols;) {
            int width = x + 1 < grid->cols && row[x + 1].cp[0] == 0 ? 2 : 1;
            if (!sound_glyph(row[x].cp, width, grid->ascii))
                return false;
            x += width;
        }
    }
    return true;
}
