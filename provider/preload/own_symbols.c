/* own_symbols.c - reads the symbol table of each loaded file when a function of it is asked for
 * first.
 *
 * dladdr() knows dynamic symbols alone: the functions of a program are rarely among them. A file
 * that has changed since it was loaded may say anything, so nothing in it is believed. */
#include "provider/preload/own_symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_MAX_BYTES 1000

struct symbol {
    uint64_t address, size;
    const char *name;
};

struct object { /* a loaded file */
    uint64_t base;
    const char *path;
    struct symbol *symbols; /* by address */
    size_t n;
    struct object *next;
};

static struct object *objects;

/* The function of libstdc++, if the program has that. */
extern char *__cxa_demangle(const char *name, char *to, size_t *size, int *status)
    __attribute__((weak));

struct image {
    const unsigned char *bytes;
    uint64_t n;
};

/* n items of a size at an offset of the file; NULL: they are not all in it. */
static const void *in_file(const struct image *image, uint64_t at, uint64_t size, uint64_t n) {
    if (size == 0 || n > image->n / size || at > image->n - n * size)
        return NULL;
    return image->bytes + at;
}

static int by_address(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* The section of symbols, the whole table rather than the dynamic one. */
static const ElfW(Shdr) * find_table(const ElfW(Shdr) * sections, unsigned n) {
    const ElfW(Shdr) *found = NULL;
    for (unsigned i = 0; i < n; i++)
        if (sections[i].sh_type == SHT_SYMTAB ||
            (sections[i].sh_type == SHT_DYNSYM && found == NULL))
            found = &sections[i];
    return found && found->sh_link < n ? found : NULL;
}

static void take_symbols(struct object *object, const struct image *image) {
    const ElfW(Ehdr) *head = in_file(image, 0, sizeof *head, 1);
    if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof(ElfW(Shdr)))
        return;
    const ElfW(Shdr) *sections = in_file(image, head->e_shoff, sizeof *sections, head->e_shnum);
    const ElfW(Shdr) *table = sections ? find_table(sections, head->e_shnum) : NULL;
    if (table == NULL)
        return;
    const ElfW(Shdr) *texts = &sections[table->sh_link];
    uint64_t n = table->sh_size / sizeof(ElfW(Sym));
    const ElfW(Sym) *v = in_file(image, table->sh_offset, sizeof *v, n);
    const char *names = in_file(image, texts->sh_offset, 1, texts->sh_size);
    object->symbols = v && names ? calloc(n + 1, sizeof *object->symbols) : NULL;
    for (uint64_t i = 0; object->symbols && i < n; i++) {
        if ((v[i].st_info & 15) != STT_FUNC || v[i].st_value == 0 || v[i].st_name >= texts->sh_size)
            continue;
        const char *name = names + v[i].st_name;
        size_t most = texts->sh_size - v[i].st_name;
        if (strnlen(name, most) < most && *name)
            object->symbols[object->n++] = (struct symbol){v[i].st_value, v[i].st_size, name};
    }
    if (object->n > 0)
        qsort(object->symbols, object->n, sizeof *object->symbols, by_address);
}

/* The map stays: names are in it. */
static void read_file(struct object *object, const char *path) {
    struct stat st;
    int fd = open(*path ? path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p != MAP_FAILED)
            take_symbols(object, &(struct image){p, (uint64_t)st.st_size});
    }
    close(fd);
}

struct asked {
    uint64_t address, base;
    char path[4096];
    bool found;
};

static int look_at(struct dl_phdr_info *info, size_t size, void *ctx) {
    struct asked *asked = ctx;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && !asked->found; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && asked->address >= from &&
            asked->address - from < part->p_memsz) {
            asked->found = true;
            asked->base = info->dlpi_addr;
            snprintf(asked->path, sizeof asked->path, "%s", info->dlpi_name);
        }
    }
    return asked->found;
}

/* NULL: no file has the address, or there is no memory. */
static struct object *object_of(uint64_t address) {
    struct asked asked = {.address = address};
    struct object *o;
    dl_iterate_phdr(look_at, &asked);
    if (!asked.found)
        return NULL;
    for (o = objects; o; o = o->next)
        if (o->base == asked.base && strcmp(o->path, asked.path) == 0)
            return o;
    o = calloc(1, sizeof *o);
    char *path = strdup(asked.path);
    if (o == NULL || path == NULL) {
        free(o);
        free(path);
        return NULL;
    }
    *o = (struct object){.base = asked.base, .path = path, .next = objects};
    read_file(o, path);
    objects = o;
    return o;
}

static const struct symbol *symbol_at(const struct object *object, uint64_t address) {
    size_t from = 0, to = object->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (object->symbols[middle].address <= address)
            from = middle + 1;
        else
            to = middle;
    }
    const struct symbol *s = from > 0 ? &object->symbols[from - 1] : NULL;
    return s && (address == s->address || address - s->address < s->size) ? s : NULL;
}

static char *plain_name(const char *name) {
    int status = -1;
    char *whole = __cxa_demangle ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    if (whole == NULL || status != 0)
        return strndup(name, NAME_MAX_BYTES);
    char *short_name = strndup(whole, NAME_MAX_BYTES);
    free(whole);
    return short_name;
}

/* For an address without a symbol. */
static char *place_name(const struct object *object, uint64_t address) {
    char text[300];
    const char *slash = object ? strrchr(object->path, '/') : NULL, *file = "";
    if (object)
        file = slash ? slash + 1 : object->path;
    unsigned long long at = address - (object ? object->base : 0);
    snprintf(text, sizeof text, "%.200s%s%#llx", file, object ? "+" : "", at);
    return strdup(text);
}

const char *own_symbols_name(const void *at) {
    uint64_t address = (uint64_t)(uintptr_t)at;
    const struct object *object = object_of(address);
    const struct symbol *symbol = object ? symbol_at(object, address - object->base) : NULL;
    char *name = symbol ? plain_name(symbol->name) : place_name(object, address);
    return name ? name : "?";
}
