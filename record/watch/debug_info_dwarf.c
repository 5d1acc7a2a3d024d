/* debug_info_dwarf.c - functions and lines by address, by libdw.
 *
 * Its own lookups read all symbols, and all units up to the one that is meant. Here symbols and the
 * ranges of units are sorted once, and those of a unit's functions when it is first asked for. */
#include <dlfcn.h>
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/watch/debug_info.h"
#include "src/base/vec.h"

#define NESTED 8  /* name spaces and classes within each other */
#define RANGES 64 /* of a function */

struct part { /* of the code */
    uint64_t low, high;
    Dwarf_Off die;
    uint32_t unit;
};

struct parts {
    VEC(struct part) v; /* by address, once they are sorted */
};

struct unit {
    Dwarf_Die die;
    struct parts functions;
    bool listed;
};

struct symbol {
    uint64_t low, high; /* the same: its size is not known, and it ends at the next one */
    const char *name;
    bool global;
};

struct debug_info {
    Dwfl *dwfl;
    Dwfl_Module *module;
    Dwarf *dwarf; /* NULL: there are only symbols */
    Dwarf_Addr bias;
    VEC(struct symbol) symbols; /* by address */
    struct parts ranges;        /* of units */
    VEC(struct unit) units;
};

bool debug_info_available(void) {
    return true;
}

static int by_address(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

static void sort(struct parts *p) {
    if (p->v.n > 0)
        qsort(p->v.v, p->v.n, sizeof *p->v.v, by_address);
}

/* The last part that begins at or before an address and has it; a few are looked at, as parts may
 * overlap. */
static const struct part *find(const struct parts *p, uint64_t address) {
    size_t low = 0, high = p->v.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->v.v[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i > 0 && i + 16 > low; i--)
        if (address < p->v.v[i - 1].high)
            return &p->v.v[i - 1];
    return NULL;
}

static void add_ranges(struct parts *p, Dwarf_Die *die, uint32_t unit) {
    Dwarf_Addr base, low, high;
    ptrdiff_t at = 0;
    for (int i = 0; i < RANGES && (at = dwarf_ranges(die, at, &base, &low, &high)) > 0; i++)
        if (low < high)
            vec_push(&p->v, ((struct part){low, high, dwarf_dieoffset(die), unit}));
}

static void list_units(struct debug_info *d) {
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf_get_units(d->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        if (dwarf_tag(&die) != DW_TAG_compile_unit)
            continue;
        add_ranges(&d->ranges, &die, (uint32_t)d->units.n);
        vec_push(&d->units, ((struct unit){.die = die}));
    }
    sort(&d->ranges);
}

static void list_functions(struct parts *p, Dwarf_Die *parent, int depth) {
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram)
            add_ranges(p, &die, 0);
        else if (depth < NESTED && (tag == DW_TAG_namespace || tag == DW_TAG_module ||
                                    tag == DW_TAG_structure_type || tag == DW_TAG_class_type))
            list_functions(p, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* At one address the global one is the last. */
static int by_place(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->global != y->global)
        return x->global ? 1 : -1;
    return strcmp(y->name, x->name);
}

static void list_symbols(struct debug_info *d) {
    int n = dwfl_module_getsymtab(d->module);
    for (int i = 1; i < n; i++) {
        GElf_Sym s;
        GElf_Addr address;
        GElf_Word section;
        const char *name =
            dwfl_module_getsym_info(d->module, i, &s, &address, &section, NULL, NULL);
        if (name == NULL || *name == 0 || section == SHN_UNDEF || section == SHN_ABS)
            continue;
        int type = GELF_ST_TYPE(s.st_info);
        struct symbol symbol = {address, address + s.st_size, name,
                                GELF_ST_BIND(s.st_info) != STB_LOCAL};
        if (symbol.high >= symbol.low &&
            (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE))
            vec_push(&d->symbols, symbol);
    }
    if (d->symbols.n > 0)
        qsort(d->symbols.v, d->symbols.n, sizeof *d->symbols.v, by_place);
}

static const char *find_symbol(const struct debug_info *d, uint64_t address) {
    size_t low = 0, high = d->symbols.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->symbols.v[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i > 0 && i + 16 > low; i--) {
        const struct symbol *s = &d->symbols.v[i - 1];
        if (address < s->high || (s->high == s->low && i == low))
            return s->name;
    }
    return NULL;
}

/* ---- files of debug information ---- */

#define FOLDER 4200 /* bytes of one */

/* Folders of debug information between colons. */
static char folders[2 * FOLDER + 100];
static char *folders_begin = folders;

/* Whether libdw would wait for a writer or a device if it opened that. */
static bool may_wait(const char *folder, const char *below, const char *file) {
    char path[3 * FOLDER];
    struct stat st;
    int n = snprintf(path, sizeof path, "%s%s%s", folder, below, file);
    return n >= 0 && (size_t)n < sizeof path && stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
           !S_ISDIR(st.st_mode);
}

/* ".build-id/12/34.debug"; "": it has none. */
static void put_place(Dwfl_Module *module, char *place, size_t size) {
    const unsigned char *bits = NULL;
    GElf_Addr where;
    int n = dwfl_module_build_id(module, &bits, &where);
    size_t at = n > 0 ? (size_t)snprintf(place, size, "/.build-id/") : 0;
    for (int i = 0; i < n && at + sizeof "xx/.debug" < size; i++)
        at += (size_t)snprintf(place + at, size - at, "%02x%s", bits[i], i == 0 ? "/" : "");
    snprintf(place + at, size - at, "%s", n > 0 ? ".debug" : "");
}

/* Whether all that libdw may open is a file, or not there: in the folders by build id, by the path
 * of the image, and in the folder of that. */
static bool may_open(Dwfl_Module *module, const char *image, const char *link) {
    char place[200], folder[FOLDER], own[FOLDER], base[FOLDER];
    const char *slash = image ? strrchr(image, '/') : NULL;
    snprintf(own, sizeof own, "%.*s/", slash ? (int)(slash - image) : 0, slash ? image : "");
    snprintf(base, sizeof base, "%s%s", slash ? slash + 1 : "", link ? "" : ".debug");
    const char *name = link ? link : base;
    put_place(module, place, sizeof place);
    if (may_wait("", "", name) || may_wait(own, "", name) || may_wait(own, ".debug/", name) ||
        may_wait(own, ".dwz/", name))
        return false;
    for (const char *at = folders; *at; at += strcspn(at, ":"), at += *at == ':') {
        snprintf(folder, sizeof folder, "%.*s", (int)strcspn(at, ":"), at);
        if (*folder == '/' && (may_wait(folder, place, "") || may_wait(folder, own, name) ||
                               may_wait(folder, own, slash ? slash + 1 : "")))
            return false;
    }
    return true;
}

static int find_debug_info(Dwfl_Module *module, void **data, const char *module_name,
                           Dwarf_Addr base, const char *image, const char *link, GElf_Word crc,
                           char **found) {
    if (!may_open(module, image, link))
        return -1;
    return dwfl_standard_find_debuginfo(module, data, module_name, base, image, link, crc, found);
}

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                         .find_debuginfo = find_debug_info,
                                         .section_address = dwfl_offline_section_address,
                                         .debuginfo_path = &folders_begin};

/* First those of the user, at last those of libdw itself. */
static void set_folders(const char *symbols) {
    const char *s = symbols ? symbols : "";
    snprintf(folders, sizeof folders, "%s%s%s%s:.debug:/usr/lib/debug", s, *s ? ":" : "", s,
             *s ? "/usr/lib/debug:" : "");
}

static bool has_build_id(Dwfl_Module *module, const char *build_id) {
    const unsigned char *bits = NULL;
    GElf_Addr where;
    int n = dwfl_module_build_id(module, &bits, &where);
    bool same = *build_id == 0 || (n > 0 && strlen(build_id) == 2 * (size_t)n);
    for (int i = 0; same && *build_id && i < n; i++) {
        char hex[3];
        snprintf(hex, sizeof hex, "%02x", bits[i]);
        same = memcmp(hex, build_id + 2 * i, 2) == 0;
    }
    return same;
}

/* Whether it is a program or a library. Other kinds would be relocated. */
static bool is_linked(int fd) {
    Elf64_Ehdr e; /* the type is at the same place in those of 32 bits */
    return pread(fd, &e, sizeof e, 0) == sizeof e && memcmp(e.e_ident, ELFMAG, SELFMAG) == 0 &&
           (e.e_type == ET_EXEC || e.e_type == ET_DYN);
}

struct debug_info *debug_info_open(int fd, const char *path, const char *build_id,
                                   const char *symbols) {
    struct debug_info *d = err_calloc(1, sizeof *d);
    set_folders(symbols);
    d->dwfl = is_linked(fd) ? dwfl_begin(&callbacks) : NULL;
    if (d->dwfl) {
        dwfl_report_begin(d->dwfl);
        d->module = dwfl_report_elf(d->dwfl, path, path, fd, 0, true);
        dwfl_report_end(d->dwfl, NULL, NULL);
    }
    if (d->module == NULL) {
        close(fd);
        debug_info_close(d);
        return NULL;
    }
    GElf_Addr bias;
    if (dwfl_module_getelf(d->module, &bias) == NULL || !has_build_id(d->module, build_id)) {
        debug_info_close(d);
        return NULL;
    }
    list_symbols(d);
    d->dwarf = dwfl_module_getdwarf(d->module, &d->bias);
    if (d->dwarf)
        list_units(d);
    return d;
}

void debug_info_close(struct debug_info *d) {
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->units.n; i++)
        vec_free(&d->units.v[i].functions.v);
    vec_free(&d->units);
    vec_free(&d->ranges.v);
    vec_free(&d->symbols);
    if (d->dwfl)
        dwfl_end(d->dwfl);
    free(d);
}

/* ---- names ---- */

/* C++ names as they are written, if its library is there. */
static void put_name(char *to, const char *name) {
    static char *(*demangle)(const char *, char *, size_t *, int *);
    static bool looked;
    if (!looked) {
        static void *library; /* it stays loaded */
        library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
        void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
        memcpy(&demangle, &symbol, sizeof symbol);
        looked = true;
    }
    int status = -1;
    char *plain =
        demangle && name[0] == '_' && name[1] == 'Z' ? demangle(name, NULL, NULL, &status) : NULL;
    snprintf(to, DEBUG_INFO_NAME, "%s", plain && status == 0 ? plain : name);
    free(plain);
}

static const char *name_of(Dwarf_Die *die) {
    static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Dwarf_Attribute a;
        const char *name = dwarf_formstring(dwarf_attr_integrate(die, names[i], &a) ? &a : NULL);
        if (name && *name)
            return name;
    }
    return NULL;
}

static bool put_function(struct debug_info_frame *f, Dwarf_Die *die, unsigned line) {
    const char *name = name_of(die), *file = dwarf_decl_file(die);
    if (name == NULL)
        return false;
    put_name(f->name, name);
    snprintf(f->file, sizeof f->file, "%s", file ? file : "");
    f->line = line;
    return true;
}

/* The child that has an address and is a part of the code of its parent. */
static bool find_child(Dwarf_Die *parent, Dwarf_Addr address, Dwarf_Die *child) {
    if (dwarf_child(parent, child) != 0)
        return false;
    do {
        int tag = dwarf_tag(child);
        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
            dwarf_haspc(child, address) > 0)
            return true;
    } while (dwarf_siblingof(child, child) == 0);
    return false;
}

static unsigned line_of(Dwarf_Die *unit, Dwarf_Addr address) {
    int n = 0;
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    return line && dwarf_lineno(line, &n) == 0 && n > 0 ? (unsigned)n : 0;
}

/* The function, and those in it, from the outermost to the innermost one. */
static unsigned chain(Dwarf_Die *function, Dwarf_Addr address, Dwarf_Die found[DEBUG_INFO_DEPTH]) {
    Dwarf_Die at = *function, child;
    unsigned n = 0;
    found[n++] = at;
    for (int depth = 0; depth < 4 * DEBUG_INFO_DEPTH && find_child(&at, address, &child); depth++) {
        at = child;
        if (dwarf_tag(&at) == DW_TAG_inlined_subroutine && n < DEBUG_INFO_DEPTH)
            found[n++] = at;
    }
    return n;
}

static unsigned find_in_dwarf(struct debug_info *d, Dwarf_Addr address,
                              struct debug_info_frame frames[DEBUG_INFO_DEPTH]) {
    const struct part *range = find(&d->ranges, address), *function;
    Dwarf_Die die, found[DEBUG_INFO_DEPTH];
    if (range == NULL)
        return 0;
    struct unit *unit = &d->units.v[range->unit];
    if (!unit->listed)
        list_functions(&unit->functions, &unit->die, 0);
    if (!unit->listed)
        sort(&unit->functions);
    unit->listed = true;
    function = find(&unit->functions, address);
    if (function == NULL || dwarf_offdie(d->dwarf, function->die, &die) == NULL)
        return 0;
    unsigned n = chain(&die, address, found), named = 0, line = line_of(&unit->die, address);
    for (unsigned i = n; i-- > 0;) {
        Dwarf_Attribute a;
        Dwarf_Word call = 0;
        named += put_function(&frames[named], &found[i], line);
        if (i > 0 && dwarf_formudata(dwarf_attr(&found[i], DW_AT_call_line, &a), &call) != 0)
            call = 0;
        line = (unsigned)call;
    }
    return named;
}

unsigned debug_info_find(struct debug_info *d, uint64_t address,
                         struct debug_info_frame frames[DEBUG_INFO_DEPTH]) {
    unsigned n = d->dwarf ? find_in_dwarf(d, address - d->bias, frames) : 0;
    const char *name = n > 0 ? NULL : find_symbol(d, address);
    if (name == NULL)
        return n;
    put_name(frames[0].name, name);
    frames[0].file[0] = 0;
    frames[0].line = 0;
    return 1;
}
