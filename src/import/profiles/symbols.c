/* symbols.c - reads blobs `symbols`: lines of fields that tabs separate.
 *
 * The numbers of modules and functions are those of a recording. If two recordings are in one file,
 * the later one gives them once more. */
#include "src/import/profiles/symbols.h"

struct str symbols_cut(struct str *text, char at) {
    const char *end = text->n > 0 ? memchr(text->s, at, text->n) : NULL;
    struct str cut = {text->s, end ? (size_t)(end - text->s) : text->n};
    size_t taken = end ? cut.n + 1 : cut.n;
    text->s += taken;
    text->n -= taken;
    return cut;
}

static unsigned digit_of(char c) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

bool symbols_number(struct str text, unsigned base, uint64_t most, uint64_t *number) {
    uint64_t n = 0;
    if (base == 16 && text.n > 2 && text.s[0] == '0' && text.s[1] == 'x')
        text = (struct str){text.s + 2, text.n - 2};
    for (size_t i = 0; i < text.n; i++) {
        unsigned digit = digit_of(text.s[i]);
        if (digit >= base || __builtin_mul_overflow(n, base, &n) ||
            __builtin_add_overflow(n, digit, &n))
            return false;
    }
    *number = n;
    return text.n > 0 && n <= most;
}

static char *copy_of(struct str text) {
    char *copy = err_malloc(text.n + 1);
    if (text.n > 0)
        memcpy(copy, text.s, text.n);
    copy[text.n] = '\0';
    return copy;
}

/* ---- modules ---- */

struct wanted {
    const struct symbols *symbols;
    const void *key;
};

static bool same_module(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    return str_eq(str_of(w->symbols->modules.v[i]), *(const struct str *)w->key);
}

uint32_t symbols_module(struct symbols *s, struct str build_id, struct str name) {
    /* a build id has a space before it, so that it is no name */
    struct str known_by = build_id.n > 0 ? build_id : name;
    char *text = err_malloc(known_by.n + 2);
    text[0] = build_id.n > 0 ? ' ' : '/';
    for (size_t i = 0; i < known_by.n; i++)
        text[1 + i] = known_by.s[i] ? known_by.s[i] : ' ';
    text[1 + known_by.n] = '\0';
    struct str key = {text, known_by.n + 1};
    struct wanted wanted = {s, &key};
    uint32_t i = map_intern(&s->by_module, hash_bytes(key.s, key.n), same_module, &wanted,
                            (uint32_t)s->modules.n);
    if (i == s->modules.n)
        vec_push(&s->modules, text);
    else
        free(text);
    return i;
}

/* ---- addresses ---- */

static bool same_address(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct symbols_address *a = &w->symbols->addresses.v[i], *key = w->key;
    return a->address == key->address && a->module == key->module;
}

static uint64_t hash_of(const struct symbols_address *a) {
    return hash_words(a->address, a->module);
}

struct symbols_found symbols_find(const struct symbols *s, uint32_t module, uint64_t address) {
    struct symbols_address key = {.address = address, .module = module};
    struct wanted wanted = {s, &key};
    uint32_t i = map_find(&s->by_address, hash_of(&key), same_address, &wanted);
    return i == MAP_NONE ? (struct symbols_found){0, 0} : s->addresses.v[i].found;
}

static bool same_symbols(const struct symbols *s, struct symbols_found a, struct symbols_found b) {
    return a.n == b.n &&
           memcmp(s->symbols.v + a.first, s->symbols.v + b.first, a.n * sizeof *s->symbols.v) == 0;
}

/* The latest symbols, from `first` on, are those of an address. */
static uint32_t name_address(struct symbols *s, uint32_t module, uint64_t address, uint32_t first) {
    struct symbols_address a = {address, module, {first, (uint32_t)(s->symbols.n - first)}, false};
    struct wanted wanted = {s, &a};
    uint32_t i =
        map_intern(&s->by_address, hash_of(&a), same_address, &wanted, (uint32_t)s->addresses.n);
    if (i == s->addresses.n) {
        vec_push(&s->addresses, a);
    } else if (same_symbols(s, s->addresses.v[i].found, a.found)) {
        s->symbols.n = first;
        return i;
    }
    s->addresses.v[i].found = a.found;
    s->version += a.found.n > 0;
    return i;
}

/* ---- other sources ---- */

static bool same_function(const void *ctx, uint32_t i) {
    const struct wanted *w = ctx;
    const struct symbols_function *f = &w->symbols->functions.v[i];
    const struct str *key = w->key;
    return str_eq(str_of(f->name), key[0]) && str_eq(str_of(f->file), key[1]);
}

static uint32_t intern_function(struct symbols *s, struct str name, struct str file) {
    const struct str key[] = {name, file};
    struct wanted wanted = {s, key};
    uint64_t hash = hash_words(hash_bytes(name.s, name.n), hash_bytes(file.s, file.n));
    uint32_t i =
        map_intern(&s->by_function, hash, same_function, &wanted, (uint32_t)s->functions.n);
    if (i == s->functions.n)
        vec_push(&s->functions, ((struct symbols_function){copy_of(name), copy_of(file)}));
    return i;
}

struct symbols_found symbols_seek(struct symbols *s, uint32_t module, uint64_t address,
                                  const struct symbols_source *source, struct str build_id,
                                  struct str name) {
    struct symbols_address key = {.address = address, .module = module};
    struct wanted wanted = {s, &key};
    uint32_t i = map_find(&s->by_address, hash_of(&key), same_address, &wanted);
    if (i != MAP_NONE && (s->addresses.v[i].found.n > 0 || s->addresses.v[i].sought))
        return s->addresses.v[i].found;
    struct str text = source->find(source->ctx, build_id, name, address);
    uint32_t first = (uint32_t)s->symbols.n;
    while (text.n > 0) {
        uint64_t line = 0;
        struct str function = symbols_cut(&text, '\t'), file = symbols_cut(&text, '\t');
        if (!symbols_number(symbols_cut(&text, '\t'), 10, UINT32_MAX, &line) || function.n == 0)
            break;
        vec_push(&s->symbols,
                 ((struct symbol){intern_function(s, function, file), (uint32_t)line}));
    }
    i = name_address(s, module, address, first);
    s->addresses.v[i].sought = true;
    return s->addresses.v[i].found;
}

/* ---- lines ---- */

#define NUMBER_MOST (UINT64_MAX - 1) /* of a module or a function */

/* Each returns a fault of the rest of its line, or NULL. */
static const char *take_module(struct symbols *s, struct str line) {
    uint64_t number;
    if (!symbols_number(symbols_cut(&line, '\t'), 10, NUMBER_MOST, &number))
        return "a module without a number";
    struct str build_id = symbols_cut(&line, '\t'), name = symbols_cut(&line, '\t');
    if (str_eq(build_id, STR("-")))
        build_id.n = 0;
    if (build_id.n == 0 && name.n == 0)
        return "a module without a build id and a name";
    u64map_set(&s->module_of, number, symbols_module(s, build_id, name));
    return NULL;
}

static const char *take_function(struct symbols *s, struct str line) {
    uint64_t number;
    if (!symbols_number(symbols_cut(&line, '\t'), 10, NUMBER_MOST, &number))
        return "a function without a number";
    struct str name = symbols_cut(&line, '\t'), file = symbols_cut(&line, '\t');
    if (name.n == 0)
        return "a function without a name";
    u64map_set(&s->function_of, number, s->functions.n);
    vec_push(&s->functions, ((struct symbols_function){copy_of(name), copy_of(file)}));
    return NULL;
}

static const char *take_symbol(struct symbols *s, struct str text) {
    uint64_t number, line = 0, function;
    struct str name = symbols_cut(&text, ':');
    if (!symbols_number(name, 10, NUMBER_MOST, &number) ||
        (text.n > 0 && !symbols_number(text, 10, UINT32_MAX, &line)))
        return "an address without the number of a function and a line";
    function = u64map_get(&s->function_of, number);
    if (function == UINT64_MAX)
        return "an address in a function that no line before it has";
    vec_push(&s->symbols, ((struct symbol){(uint32_t)function, (uint32_t)line}));
    return NULL;
}

static const char *take_address(struct symbols *s, struct str line) {
    uint64_t number, address, module;
    uint32_t first = (uint32_t)s->symbols.n;
    const char *wrong = NULL;
    if (!symbols_number(symbols_cut(&line, '\t'), 10, NUMBER_MOST, &number) ||
        !symbols_number(symbols_cut(&line, '\t'), 16, UINT64_MAX, &address))
        return "an address without a module or a number";
    module = u64map_get(&s->module_of, number);
    if (module == UINT64_MAX)
        return "an address in a module that no line before it has";
    if (line.n == 0)
        return "an address without a function";
    while (wrong == NULL && line.n > 0)
        wrong = take_symbol(s, symbols_cut(&line, '\t'));
    if (wrong == NULL)
        name_address(s, (uint32_t)module, address, first);
    else
        s->symbols.n = first;
    return wrong;
}

void symbols_take(struct symbols *s, struct str blob, struct symbols_faults to) {
    if (blob.n == 0)
        return;
    struct str first = symbols_cut(&blob, '\n'), version = first;
    char separator = memchr(first.s, '\t', first.n) ? '\t' : ' ';
    if (!str_eq(symbols_cut(&version, separator), SYMBOLS_BLOB) || version.n == 0)
        return; /* another program's blob */
    if (!str_eq(version, STR("1"))) {
        to.fault(to.ctx, 1, "symbols of a version that is not known");
        return;
    }
    for (unsigned number = 2; blob.n > 0; number++) {
        struct str line = symbols_cut(&blob, '\n'), letter = symbols_cut(&line, '\t');
        const char *wrong = NULL;
        if (str_eq(letter, STR("m")))
            wrong = take_module(s, line);
        else if (str_eq(letter, STR("f")))
            wrong = take_function(s, line);
        else if (str_eq(letter, STR("a")))
            wrong = take_address(s, line);
        if (wrong)
            to.fault(to.ctx, number, wrong);
    }
}

void symbols_free(struct symbols *s) {
    for (size_t i = 0; i < s->modules.n; i++)
        free(s->modules.v[i]);
    for (size_t i = 0; i < s->functions.n; i++) {
        free(s->functions.v[i].name);
        free(s->functions.v[i].file);
    }
    vec_free(&s->modules);
    vec_free(&s->functions);
    vec_free(&s->addresses);
    vec_free(&s->symbols);
    map_free(&s->by_module);
    map_free(&s->by_address);
    map_free(&s->by_function);
    u64map_free(&s->module_of);
    u64map_free(&s->function_of);
}
