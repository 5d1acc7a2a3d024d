/* state_file.c - reads the text files that are kept for a user, and has them written whole
 * (output_file.h). */
#include "src/io/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/io/output_file.h"

#define HEAD 4096u

static uint64_t hash_on(uint64_t h, const unsigned char *v, size_t n) { /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        h = (h ^ v[i]) * UINT64_C(0x100000001b3);
    return h;
}
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)

static bool make_folder(const char *path, struct err *err) {
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return true;
    return err_set(err, ERR_NO_OFFSET, "cannot create the state folder: %s", strerror(errno));
}

bool state_file_path(const char *name, bool make, char path[PATH_MAX], struct err *err) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n;
    if (state && state[0] == '/')
        n = snprintf(path, PATH_MAX, "%s", state);
    else if (home && home[0] == '/')
        n = snprintf(path, PATH_MAX, "%s/.local", home);
    else
        return err_set(err, ERR_NO_OFFSET,
                       "no state folder: neither XDG_STATE_HOME nor HOME is set");
    if (n < 0 || (size_t)n + strlen(name) + 16 >= PATH_MAX)
        return err_set(err, ERR_NO_OFFSET, "no state folder: its path is too long");
    if (make && !make_folder(path, err))
        return false;
    if (!(state && state[0] == '/')) {
        n += snprintf(path + n, PATH_MAX - (size_t)n, "/state");
        if (make && !make_folder(path, err))
            return false;
    }
    n += snprintf(path + n, PATH_MAX - (size_t)n, "/fxtop");
    if (make && !make_folder(path, err))
        return false;
    snprintf(path + n, PATH_MAX - (size_t)n, "/%s", name);
    return true;
}

/* Goes on with a hash by the real path of a file. False: it is none. */
static bool hash_path(uint64_t *hash, const char *path, bool more) {
    char *real = path ? realpath(path, NULL) : NULL;
    struct stat s;
    bool regular = real && stat(real, &s) == 0 && S_ISREG(s.st_mode);
    if (regular) /* a NUL is in no path, so that it keeps two of them apart */
        *hash = hash_on(*hash, (const unsigned char *)real, strlen(real) + more);
    free(real);
    return regular;
}

bool state_file_of_traces(const char *const *traces, size_t n, char name[64]) {
    uint64_t hash = HASH_BEGIN;
    for (size_t i = 0; i < n; i++)
        if (!hash_path(&hash, traces[i], i + 1 < n))
            return false;
    snprintf(name, 64, "%016" PRIx64 ".session", hash);
    return n > 0;
}

/* Up to `cap` bytes from the begin of a file; -1: it cannot be read. */
static ssize_t read_some(int fd, char *v, size_t cap) {
    size_t n = 0;
    while (n < cap) {
        ssize_t got = read(fd, v + n, cap - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        n += (size_t)got;
    }
    return (ssize_t)n;
}

static uint64_t head_of(const char *path) {
    unsigned char v[HEAD];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return 0;
    ssize_t n = read_some(fd, (char *)v, sizeof v);
    close(fd);
    return n < 0 ? 0 : hash_on(HASH_BEGIN, v, (size_t)n) | 1;
}

uint64_t state_file_heads(const char *const *paths, size_t n) {
    uint64_t all = n > 0 ? head_of(paths[0]) : 0;
    for (size_t i = 1; i < n; i++) {
        uint64_t head = head_of(paths[i]);
        all = hash_on(all, (const unsigned char *)&head, sizeof head);
    }
    return all;
}

char *state_file_read(const char *path, struct err *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        err_set(err, ERR_NO_OFFSET, "cannot read the file: %s", strerror(errno));
        return NULL;
    }
    char *v = err_malloc(STATE_FILE_MOST + 1);
    ssize_t n = read_some(fd, v, STATE_FILE_MOST + 1);
    int why = errno;
    close(fd);
    if (n >= 0 && (size_t)n <= STATE_FILE_MOST && memchr(v, 0, (size_t)n) == NULL) {
        v[n] = 0;
        return v;
    }
    err_set(err, ERR_NO_OFFSET, "cannot read the file: %s",
            n < 0 ? strerror(why) : "it is no text of commands");
    free(v);
    return NULL;
}

bool state_file_write(const char *path, const char *text, size_t n, struct err *err) {
    unsigned how =
        OUTPUT_FILE_OVER | OUTPUT_FILE_PRIVATE | OUTPUT_FILE_SYNCED | OUTPUT_FILE_SESSION;
    return output_file_write(path, how, text, n, err);
}
