/* firefox_frames.c - frames are functions by number, or texts that have all: `f (a.js:1)`. */
#include "src/import/profiles/firefox_frames.h"

#include <inttypes.h>
#include <stdio.h>

enum { STACK_FRAME, STACK_PREFIX, STACK_OFFSET };
enum { FRAME_FUNCTION, FRAME_LOCATION, FRAME_LINE, FRAME_ADDRESS, FRAME_LIB };
enum { FUNCTION_NAME, FUNCTION_FILE, FUNCTION_SOURCE, FUNCTION_RESOURCE };

static const char *const names[FIREFOX_STRINGS][COLUMNS_MOST] = {
    [FIREFOX_STACKS] = {"frame", "prefix", "prefixOffset"},
    [FIREFOX_FRAMES] = {"func", "location", "line", "address", "lib"},
    [FIREFOX_FUNCTIONS] = {"name", "fileName", "source", "resource"},
    [FIREFOX_RESOURCES] = {"lib"},
    [FIREFOX_SOURCES] = {"filename"},
};

void firefox_frames_init(struct firefox_frames *f, struct import_whole *whole, bool *unnamed) {
    f->whole = whole;
    f->told_unnamed = unnamed;
    f->libs.at = FIREFOX_NO_PLACE;
    firefox_places_init(&f->read);
    for (int t = 0; t < FIREFOX_STRINGS; t++) {
        f->v[t].pull = &whole->pull;
        while (f->v[t].n < COLUMNS_MOST && names[t][f->v[t].n]) {
            f->v[t].v[f->v[t].n].name = names[t][f->v[t].n];
            f->v[t].n++;
        }
    }
}

void firefox_frames_free(struct firefox_frames *f) {
    for (int t = 0; t < FIREFOX_STRINGS; t++)
        columns_free(&f->v[t]);
    vec_free(&f->strings);
    vec_free(&f->libs.v);
    vec_free(&f->frames);
    vec_free(&f->text.v);
    vec_free(&f->file.v);
    vec_free(&f->dso.v);
    stack_tree_free(&f->tree);
}

void firefox_places_init(struct firefox_places *places) {
    for (int t = 0; t < FIREFOX_TABLES; t++)
        places->v[t] = FIREFOX_NO_PLACE;
}

void firefox_places_key(struct firefox_places *places, const struct json_pull *pull) {
    static const struct {
        const char *key;
        enum firefox_table table;
    } keys[] = {{"stackTable", FIREFOX_STACKS},   {"frameTable", FIREFOX_FRAMES},
                {"funcTable", FIREFOX_FUNCTIONS}, {"resourceTable", FIREFOX_RESOURCES},
                {"sources", FIREFOX_SOURCES},     {"stringArray", FIREFOX_STRINGS},
                {"stringTable", FIREFOX_STRINGS}, {"libs", FIREFOX_LIBS}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (pull->bracket && json_pull_is(pull, keys[i].key))
            places->v[keys[i].table] = pull->token.at;
}

int firefox_places_share(struct firefox_places *places, const struct firefox_places *shared) {
    int own = FIREFOX_TABLES;
    for (int t = 0; t < FIREFOX_TABLES; t++) {
        if (own == FIREFOX_TABLES && places->v[t] == FIREFOX_NO_PLACE &&
            shared->v[t] != FIREFOX_NO_PLACE)
            own = t;
        if (t >= own)
            places->v[t] = shared->v[t];
    }
    return own;
}

/* ---- tables ---- */

static void read_strings(struct firefox_frames *f, uint64_t at) {
    struct json_pull *pull = &f->whole->pull;
    f->strings.n = 0;
    if (at == FIREFOX_NO_PLACE)
        return;
    json_pull_back(pull, at);
    if (json_pull_enter(pull, JSON_ARRAY))
        while (json_pull_next(pull))
            vec_push(&f->strings, pull->token);
}

void firefox_names_read(struct firefox_names *list, struct json_pull *pull, uint64_t at) {
    if (list->at == at)
        return;
    list->at = at;
    list->v.n = 0;
    if (at == FIREFOX_NO_PLACE)
        return;
    json_pull_back(pull, at);
    if (!json_pull_enter(pull, JSON_ARRAY))
        return;
    while (json_pull_next(pull)) {
        struct json_token name = {.text = {"", 0}};
        if (json_pull_enter(pull, JSON_OBJECT))
            while (json_pull_next(pull))
                if (json_pull_is(pull, "name"))
                    name = pull->token;
        vec_push(&list->v, name);
    }
}

struct str firefox_frames_string(const struct firefox_frames *f, int64_t i,
                                 struct json_pull_text *buf) {
    if (i < 0 || (uint64_t)i >= f->strings.n)
        return STR("");
    return json_pull_string(&f->strings.v[i], buf);
}

/* ---- frames ---- */

struct name {
    struct str name, file, dso;
    int64_t line;
};

/* The text after the last ` (` of one that ends with `)`, or an empty one. */
static struct str in_brackets(struct str text) {
    if (text.n == 0 || text.s[text.n - 1] != ')')
        return STR("");
    for (size_t i = text.n - 1; i-- > 0;)
        if (text.s[i] == '(' && (i == 0 || text.s[i - 1] == ' '))
            return (struct str){text.s + i + 1, text.n - i - 2};
    return STR("");
}

/* Takes `:12` off the end of a text; false: it has none. */
static bool take_number(struct str *text, int64_t *number) {
    size_t i = text->n;
    while (i > 0 && text->s[i - 1] >= '0' && text->s[i - 1] <= '9')
        i--;
    if (i < 2 || i == text->n || text->s[i - 1] != ':' ||
        !json_read_i64((struct str){text->s + i, text->n - i}, number))
        return false;
    text->n = i - 1;
    return true;
}

/* `name (in lib)`, `name (file:line)`, `name (file:line:column)`, or a name alone. */
static void read_location(struct str text, struct name *name) {
    struct str within = in_brackets(text);
    int64_t number, line = COLUMNS_NONE;
    name->name = text;
    if (within.n == 0 || within.n + 3 > text.n)
        return;
    struct str before = {text.s, text.n - within.n - 3};
    if (within.n > 3 && memcmp(within.s, "in ", 3) == 0) {
        name->name = before;
        name->dso = (struct str){within.s + 3, within.n - 3};
    } else if (take_number(&within, &line)) {
        if (take_number(&within, &number))
            line = number;
        name->name = before;
        name->file = within;
        if (name->line < 0)
            name->line = line;
    }
}

static bool is_address(struct str name) {
    return name.n > 2 && memcmp(name.s, "0x", 2) == 0;
}

/* The library of a frame: its own since version 70, before that of its function's resource. */
static int64_t lib_of(const struct firefox_frames *f, int64_t frame, int64_t function) {
    const struct columns *frames = &f->v[FIREFOX_FRAMES];
    if (frames->v[FRAME_LIB].there)
        return columns_cell(frames, FRAME_LIB, (size_t)frame);
    int64_t resource = columns_cell(&f->v[FIREFOX_FUNCTIONS], FUNCTION_RESOURCE, (size_t)function);
    return columns_has(&f->v[FIREFOX_RESOURCES], 0, resource)
               ? columns_cell(&f->v[FIREFOX_RESOURCES], 0, (size_t)resource)
               : COLUMNS_NONE;
}

static void read_function(struct firefox_frames *f, int64_t frame, int64_t function,
                          struct name *name) {
    const struct columns *functions = &f->v[FIREFOX_FUNCTIONS];
    int64_t source = columns_cell(functions, FUNCTION_SOURCE, (size_t)function),
            file = columns_cell(functions, FUNCTION_FILE, (size_t)function),
            lib = lib_of(f, frame, function);
    if (columns_has(&f->v[FIREFOX_SOURCES], 0, source))
        file = columns_cell(&f->v[FIREFOX_SOURCES], 0, (size_t)source);
    name->name = firefox_frames_string(f, columns_cell(functions, FUNCTION_NAME, (size_t)function),
                                       &f->text);
    name->file = firefox_frames_string(f, file, &f->file);
    if (lib >= 0 && (uint64_t)lib < f->libs.v.n)
        name->dso = json_pull_string(&f->libs.v.v[lib], &f->dso);
}

/* Names a frame; at: of the stack that has it. */
static struct samples_frame read_frame(struct firefox_frames *f, int64_t frame, uint64_t at) {
    const struct columns *frames = &f->v[FIREFOX_FRAMES];
    struct import_place place = {.byte = at};
    struct name name = {STR(""), STR(""), STR(""), columns_cell(frames, FRAME_LINE, (size_t)frame)};
    int64_t function = columns_cell(frames, FRAME_FUNCTION, (size_t)frame),
            location = columns_cell(frames, FRAME_LOCATION, (size_t)frame),
            address = columns_cell(frames, FRAME_ADDRESS, (size_t)frame);
    char none[300];
    if (location >= 0)
        read_location(firefox_frames_string(f, location, &f->text), &name);
    else if (columns_has(&f->v[FIREFOX_FUNCTIONS], FUNCTION_NAME, function))
        read_function(f, frame, function, &name);
    if (name.name.n == 0) {
        int n;
        if (name.dso.n > 0)
            n = snprintf(none, sizeof none, "[%.*s]", str_head(name.dso, 256), name.dso.s);
        else if (address >= 0)
            n = snprintf(none, sizeof none, "0x%" PRIx64, (uint64_t)address);
        else
            n = snprintf(none, sizeof none, "(frame %" PRId64 ")", frame);
        if (name.dso.n == 0 && address < 0)
            import_whole_fault(f->whole, IMPORT_FIELD, at, "a frame without a name");
        name.name = (struct str){none, (size_t)n};
    } else if (is_address(name.name) && !*f->told_unnamed) {
        *f->told_unnamed = true;
        import_whole_fault(f->whole, IMPORT_IGNORED, at,
                           "functions are addresses: samply record --unstable-presymbolicate "
                           "writes their names");
    }
    uint32_t line = name.line > 0 && name.line < UINT32_MAX ? (uint32_t)name.line : 0;
    return (struct samples_frame){
        samples_frame(f->whole->samples, &place, name.name, name.file, name.dso), line};
}

static struct samples_frame frame_of(struct firefox_frames *f, int64_t frame, uint64_t at) {
    struct import_place place = {.byte = at};
    char none[40];
    if (frame >= 0 && (uint64_t)frame < f->frames.n) {
        struct samples_frame *one = &f->frames.v[frame];
        if (one->id == STACK_TREE_NONE)
            *one = read_frame(f, frame, at);
        return *one;
    }
    int n = snprintf(none, sizeof none, "(frame %" PRId64 ")", frame);
    import_whole_fault(f->whole, IMPORT_FIELD, at, "a frame that is not there");
    return (struct samples_frame){
        samples_frame(f->whole->samples, &place, (struct str){none, (size_t)n}, STR(""), STR("")),
        0};
}

/* ---- stacks ---- */

/* The stack around one; a prefix that is none of those before it would make a circle. */
static uint32_t around(struct firefox_frames *f, size_t i, uint64_t at) {
    const struct columns *stacks = &f->v[FIREFOX_STACKS];
    int64_t prefix = columns_cell(stacks, STACK_PREFIX, i);
    if (stacks->v[STACK_OFFSET].there) {
        int64_t offset = columns_cell(stacks, STACK_OFFSET, i);
        prefix = offset > 0 ? (int64_t)i - offset : COLUMNS_NONE;
        if (offset > 0 && prefix < 0)
            prefix = COLUMNS_BAD;
    }
    if (prefix >= (int64_t)i) {
        import_whole_fault(f->whole, IMPORT_FIELD, at,
                           "a stack whose prefix is not before it: it is outermost");
        prefix = COLUMNS_NONE;
    }
    return prefix < 0 ? STACK_TREE_NONE : (uint32_t)prefix;
}

static void forget_frames(struct firefox_frames *f) {
    f->frames.n = 0;
    for (size_t i = columns_rows(&f->v[FIREFOX_FRAMES]); i > 0; i--)
        vec_push(&f->frames, ((struct samples_frame){STACK_TREE_NONE, 0}));
}

static void make_stacks(struct firefox_frames *f) {
    const struct columns *stacks = &f->v[FIREFOX_STACKS];
    f->tree.v.n = f->tree.last = 0;
    for (size_t i = 0; i < stacks->v[STACK_FRAME].v.n; i++) {
        uint64_t at = stacks->at.v[i];
        uint32_t parent = around(f, i, at);
        struct samples_frame frame = frame_of(f, stacks->v[STACK_FRAME].v.v[i], at);
        if (parent == STACK_TREE_NONE &&
            str_eq(samples_name(f->whole->samples, frame.id), STR("(root)")))
            frame.id = STACK_TREE_NONE;
        stack_tree_add(&f->tree, parent, frame);
    }
}

void firefox_frames_read(struct firefox_frames *f, const struct firefox_places *places) {
    bool stacks = false, frames = false;
    for (int t = 0; t < FIREFOX_TABLES; t++) {
        if (places->v[t] == f->read.v[t])
            continue;
        stacks = true;
        frames = frames || t != FIREFOX_STACKS;
        if (t == FIREFOX_STRINGS)
            read_strings(f, places->v[t]);
        else if (t == FIREFOX_LIBS)
            firefox_names_read(&f->libs, &f->whole->pull, places->v[t]);
        else if (places->v[t] == FIREFOX_NO_PLACE)
            columns_clear(&f->v[t]);
        else
            columns_read(&f->v[t], places->v[t]);
    }
    f->read = *places;
    if (frames)
        forget_frames(f);
    if (stacks)
        make_stacks(f);
}
