/* sql_each.c - a query for the slices of a name, as iterations.
 *
 * One that has not ended is the slowest. Children of a name are one part, and the first four parts
 * are named. Shares are those of durations, so parts that run at one time may have more than 100 %
 * together. */
#include "ui/views/sql/sql_each.h"

static const char before[] =
    "WITH it AS MATERIALIZED (SELECT id, ts, dur, track_id, _self_dur AS own FROM "
    "slice WHERE name = ";
static const char after[] =
    "), part AS (SELECT parent_id AS id, name, count(*) AS n, sum(iif(dur > 0, dur, "
    "0)) AS d FROM slice WHERE parent_id IN (SELECT id FROM it) GROUP BY parent_id, "
    "name), ranked AS (SELECT id, name, n, d, row_number() OVER (PARTITION BY id "
    "ORDER BY d DESC, name) AS r FROM part), made AS (SELECT p.id, group_concat(CASE "
    "WHEN r > 4 THEN NULL ELSE p.name || iif(p.n > 1, ' x' || p.n, '') || iif(i.dur > "
    "0, ' ' || CAST(round(100.0 * d / i.dur) AS INTEGER) || '%', '') END, ', ') || "
    "iif(count(*) > 4, ', ' || (count(*) - 4) || ' more', '') AS parts FROM (SELECT * "
    "FROM ranked ORDER BY id, r) p JOIN it i USING (id) GROUP BY p.id) SELECT "
    "row_number() OVER (ORDER BY ts, id) AS n, dur, parts AS made_of, own AS "
    "self_dur, ts - lag(ts) OVER (PARTITION BY track_id ORDER BY ts, id) AS "
    "period_ns, (SELECT t.name FROM thread_track k JOIN thread t USING (utid) WHERE "
    "k.id = track_id) AS thread, ts, id FROM it LEFT JOIN made USING (id) ORDER BY "
    "iif(dur < 0, 9223372036854775807, dur) DESC, ts, id";

void sql_each_query(struct chars *out, struct str name) {
    chars_text(out, before);
    chars_put(out, '\'');
    for (size_t i = 0; i < name.n; i++) {
        chars_put(out, name.s[i]);
        if (name.s[i] == '\'')
            chars_put(out, '\'');
    }
    chars_put(out, '\'');
    chars_text(out, after);
}
