/* event_key.c - the fields of events by the length of their names. */
#include "src/import/chrome/event_key.h"

static const struct {
    struct str key;
    enum event_field field;
} fields[] = {{STR("s"), EVENT_S},
              {STR("ph"), EVENT_PH},
              {STR("ts"), EVENT_TS},
              {STR("id"), EVENT_ID},
              {STR("bp"), EVENT_BP},
              {STR("sf"), EVENT_SF},
              {STR("pid"), EVENT_PID},
              {STR("tid"), EVENT_TID},
              {STR("dur"), EVENT_DUR},
              {STR("esf"), EVENT_ESF},
              {STR("cat"), EVENT_CAT},
              {STR("name"), EVENT_NAME},
              {STR("scope"), EVENT_SCOPE},
              {STR("own_ts"), EVENT_OWN_TS},
              {STR("bind_id"), EVENT_BIND_ID},
              {STR("flow_in"), EVENT_FLOW_IN},
              {STR("flow_out"), EVENT_FLOW_OUT},
              {STR("damaged_time"), EVENT_DAMAGED}};
/* of each length */
static const unsigned char first_field[] = {0, 0, 1, 6, 11, 12, 13, 14, 16, 17, 17, 17, 17, 18};
#define LONGEST_FIELD 12

static enum event_field nested_field(struct str key, enum event_level level) {
    if (level == LEVEL_FRAME && str_eq(key, STR("name")))
        return EVENT_NAME;
    if (level == LEVEL_FRAME)
        return str_eq(key, STR("parent")) ? EVENT_PARENT : EVENT_FIELDS;
    if (level == LEVEL_ID2 && str_eq(key, STR("local")))
        return EVENT_ID_LOCAL;
    if (level == LEVEL_ID2)
        return str_eq(key, STR("global")) ? EVENT_ID_GLOBAL : EVENT_FIELDS;
    return EVENT_FIELDS;
}

enum event_field event_key_field(struct str key, enum event_level level) {
    if (level >= LEVEL_ARGS)
        return nested_field(key, level);
    if (key.n > LONGEST_FIELD)
        return EVENT_FIELDS;
    for (size_t i = first_field[key.n]; i < first_field[key.n + 1]; i++)
        if (fields[i].key.s[0] == key.s[0] && memcmp(fields[i].key.s, key.s, key.n) == 0)
            return fields[i].field;
    return EVENT_FIELDS;
}

const char *event_key_name(enum event_field field) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].field == field)
            return fields[i].key.s;
    return "id2";
}

bool event_key_begins(const void *ctx, struct str key) {
    static const struct str others[] = {STR("args"), STR("id2"), STR("tts"), STR("tdur")};
    (void)ctx;
    bool known = event_key_field(key, LEVEL_EVENT) != EVENT_FIELDS;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        known |= str_eq(key, others[i]);
    return known;
}
