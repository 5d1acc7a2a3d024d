/* symbols.h - the names of addresses, as blobs `symbols` of a recording give them (doc/IMPORT.md).
 *
 * A module is known by its build id, else by its name. An address is one in the module's own
 * numbering. A later line about an address holds from there on. */
#ifndef FXTOP_SYMBOLS_H
#define FXTOP_SYMBOLS_H

#include "src/base/map.h"
#include "src/base/str.h"
#include "src/base/u64map.h"
#include "src/base/vec.h"

#define SYMBOLS_BLOB STR("symbols")

struct symbol { /* a function, and the line in it */
    uint32_t function, line;
};

struct symbols_found { /* the innermost first: the others have it inlined */
    uint32_t first, n; /* n = 0: the address has no name */
};

struct symbols_function {
    char *name, *file;
};

struct symbols_address {
    uint64_t address;
    uint32_t module;
    struct symbols_found found;
    bool sought; /* a source was asked for it */
};

struct symbols {                                   /* zero-initialised: none */
    struct map by_module, by_address, by_function; /* by_function: of those that a source named */
    VEC(char *) modules;                           /* the key of each: its build id or its name */
    VEC(struct symbols_function) functions;
    VEC(struct symbols_address) addresses;
    VEC(struct symbol) symbols;
    struct u64map module_of, function_of; /* the numbers of a blob */
    uint64_t version;                     /* grows with each address that gets a name */
};

/* Takes the lines of a blob; a text that is none of these is left alone. A wrong line is a fault,
 * with its number from 1. */
struct symbols_faults {
    void *ctx;
    void (*fault)(void *ctx, unsigned line, const char *sentence);
};
void symbols_take(struct symbols *symbols, struct str blob, struct symbols_faults to);

/* The number of a module. Either text may be empty. */
uint32_t symbols_module(struct symbols *symbols, struct str build_id, struct str name);
struct symbols_found symbols_find(const struct symbols *symbols, uint32_t module, uint64_t address);

/* Something besides the trace that knows names. */
struct symbols_source {
    void *ctx;
    /* Name, file and line of the functions at an address of a module, with tabs between all, the
     * innermost first. Nothing: it is not known. The text lasts until the next call. */
    struct str (*find)(void *ctx, struct str build_id, struct str name, uint64_t address);
};
/* A source is asked for an address without a name, once. */
struct symbols_found symbols_seek(struct symbols *symbols, uint32_t module, uint64_t address,
                                  const struct symbols_source *source, struct str build_id,
                                  struct str name);
void symbols_free(struct symbols *symbols);

/* Takes the text up to a byte off the begin of another one, and that byte. */
struct str symbols_cut(struct str *text, char at);
/* A number to base 10 or 16, without a sign; false: it is none, or more than `most`. */
bool symbols_number(struct str text, unsigned base, uint64_t most, uint64_t *number);

#endif
