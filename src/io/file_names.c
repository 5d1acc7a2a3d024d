/* file_names.c - completion of file names.
 *
 * A stem is a folder, up to its last /, and the begin of a name in it. Whether a name is a folder
 * is asked only for those that are offered, since it may take a system call each. */
#include "src/io/file_names.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/err.h"
#include "src/base/text.h"

static void forget(struct file_names *names) {
    for (size_t i = 0; i < names->v.n; i++)
        free(names->v.v[i]);
    names->v.n = 0;
    free(names->stem);
    names->stem = NULL;
}

void file_names_free(struct file_names *names) {
    forget(names);
    vec_free(&names->v);
    vec_free(&names->line);
}

/* The bytes of the folder, its last / included; 0: the working folder. */
static size_t folder_of(const char *stem) {
    const char *slash = strrchr(stem, '/');
    return slash ? (size_t)(slash - stem) + 1 : 0;
}

/* As the prompts take it: no control characters. */
static bool can_be_typed(const char *name) {
    struct str s = str_of(name);
    uint32_t c;
    while (s.n > 0) {
        size_t n = text_decode(s, &c);
        if (c == TEXT_BAD || c < ' ' || (c >= 0x7f && c < 0xa0))
            return false;
        s = (struct str){s.s + n, s.n - n};
    }
    return true;
}

static int by_bytes(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two dots lead up, and are offered if both are typed. */
static bool fits(const char *name, const char *begin) {
    if (strcmp(name, ".") == 0 || strncmp(name, begin, strlen(begin)) != 0)
        return false;
    return strcmp(name, "..") == 0 ? strcmp(begin, "..") == 0 : name[0] != '.' || begin[0] == '.';
}

static void list(struct file_names *names, const char *stem) {
    size_t n = folder_of(stem);
    forget(names);
    names->stem = err_copy(stem, strlen(stem));
    char *folder = n > 0 ? err_copy(stem, n) : err_copy(".", 1);
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    for (size_t k = 0; dir && k < FILE_NAMES_MOST && (entry = readdir(dir)) != NULL; k++)
        if (fits(entry->d_name, stem + n) && can_be_typed(entry->d_name))
            vec_push(&names->v, err_copy(entry->d_name, strlen(entry->d_name)));
    if (dir)
        closedir(dir);
    free(folder);
    if (names->v.n > 0)
        qsort(names->v.v, names->v.n, sizeof *names->v.v, by_bytes);
}

static void know(struct file_names *names, const char *stem) {
    if (names->stem == NULL || strcmp(names->stem, stem) != 0)
        list(names, stem);
}

size_t file_names_count(struct file_names *names, const char *stem) {
    know(names, stem);
    return names->v.n;
}

/* A blank at the begin would be passed over, and a dash alone is standard input: ./ goes before
 * both. */
static bool wants_folder(const char *name) {
    return name[0] == ' ' || strcmp(name, "-") == 0;
}

static void add(struct file_names *names, const char *s, size_t n) {
    vec_reserve(&names->line, names->line.n + n + 1);
    memcpy(names->line.v + names->line.n, s, n);
    names->line.n += n;
    names->line.v[names->line.n] = 0;
}

const char *file_names_complete(struct file_names *names, const char *stem, size_t n) {
    size_t folder = folder_of(stem);
    struct stat status;
    know(names, stem);
    if (n >= names->v.n)
        return NULL;
    names->line.n = 0;
    if (folder == 0 && wants_folder(names->v.v[n]))
        add(names, "./", 2);
    add(names, stem, folder);
    add(names, names->v.v[n], strlen(names->v.v[n]));
    if (stat(names->line.v, &status) == 0 && S_ISDIR(status.st_mode))
        add(names, "/", 1);
    return names->line.v;
}
