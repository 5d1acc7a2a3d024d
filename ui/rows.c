/* rows.c - :row: the row of a number, or as many rows on. Digits alone are views, so a count is
 * typed after the colon. */
#include "ui/rows.h"

#include <stdlib.h>
#include <string.h>

#include "ui/timeline/move.h"
#include "ui/views/view.h"
#include "ui/views/view_page.h"
#include "ui/views/view_table.h"

#define DIGITS "0123456789"
#define MOST_DIGITS 9 /* more rows than any trace has */

/* The rest of "20j" and "20k", as vi has them. */
static bool counts(const char *text) {
    return (*text == 'j' || *text == 'k') && text[1] == 0;
}

bool rows_typed(const char *text) {
    if (strcmp(text, "$") == 0)
        return true;
    bool sign = *text == '+' || *text == '-';
    text += sign;
    size_t n = strspn(text, DIGITS);
    return n > 0 && n <= MOST_DIGITS && (text[n] == 0 || (!sign && counts(text + n)));
}

void rows_go(struct app *app, const char *text) {
    const char *after = text + strspn(text, DIGITS);
    bool relative = *text == '+' || *text == '-' || counts(after);
    if (!rows_typed(text)) {
        session_say(app, true, "a row is a number: 20, +20, -20, 20j, 20k or $");
        return;
    }
    int64_t rows = *text == '$' ? INT32_MAX : strtoll(text, NULL, 10);
    if (*after == 'k' && after > text)
        rows = -rows;
    void (*by)(struct app *, int64_t) = move_rows;
    if (view_is(&app->views, MODE_TABLE))
        by = view_table_move;
    else if (view_is(&app->views, MODE_TEXT))
        by = view_page_move;
    if (!relative) {
        by(app, INT32_MIN);
        rows -= rows > 0;
    }
    by(app, rows);
}
