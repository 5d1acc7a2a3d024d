/* runs.c - runs the program for each command line that it reads, all in one process: to begin one
 * takes longer than most runs. Its clients are tests/tools/runs.py and tests/lib/program.sh.
 *
 * A request is a line with a number of bytes, and then so many: the words, a NUL after each. Words
 * before that of the program are of its environment, and stay; PWD is its folder, too. STDIN,
 * STDOUT and STDERR=FILE are its descriptors. The answer is a line with the status and two sizes.
 * Standard output and error follow, if they had no FILE.
 * Standard error must be a file: after a crash it has the last words. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES 1000000
#define MOST_WORDS 1000

int fxtop_main(int argc, char **argv);

static _Noreturn void die(const char *what) {
    perror(what);
    exit(3);
}

static int must(int result, const char *what) {
    if (result < 0)
        die(what);
    return result;
}

/* An empty file without a name. */
static int nameless(void) {
    FILE *f = tmpfile();
    if (f == NULL)
        die("tmpfile");
    int fd = must(fcntl(fileno(f), F_DUPFD_CLOEXEC, 10), "fcntl");
    fclose(f);
    return fd;
}

/* Writes the output of a run to `to`, and empties the file for the next one. */
static void hand_over(int fd, off_t n, FILE *to) {
    char part[8192];
    for (off_t at = 0; at < n;) {
        ssize_t got = pread(fd, part, sizeof part, at);
        if (got <= 0 || fwrite(part, 1, (size_t)got, to) != (size_t)got)
            die("answer");
        at += got;
    }
    must(ftruncate(fd, 0), "ftruncate");
    must((int)lseek(fd, 0, SEEK_SET), "lseek");
}

static off_t size_of(int fd) {
    struct stat st;
    must(fstat(fd, &st), "fstat");
    return st.st_size;
}

/* Reads a request. Returns the number of words; 0: there is none left. */
static int read_words(FILE *in, char *text, char **words) {
    size_t n = 0;
    int count = 0;
    int known = fscanf(in, "%zu", &n);
    if (known == EOF)
        return 0;
    if (known != 1 || n > MOST_BYTES || fgetc(in) != '\n' || fread(text, 1, n, in) != n)
        die("request");
    text[n] = '\0';
    for (char *word = text; word < text + n && count < MOST_WORDS; word += strlen(word) + 1)
        words[count++] = word;
    words[count] = NULL;
    return count;
}

/* Opens the file of the word NAME=FILE for the descriptor. False: it is another word. */
static bool redirect(const char *word, const char *name, int flags, int fd) {
    size_t n = strlen(name);
    if (strncmp(word, name, n) != 0 || word[n] != '=')
        return false;
    int file = must(open(word + n + 1, flags | O_CLOEXEC), word);
    struct stat out, this;
    lseek(file, 0, flags == O_RDONLY ? SEEK_SET : SEEK_END); /* fails for a pipe */
    if (fd == STDERR_FILENO && fstat(STDOUT_FILENO, &out) == 0 && fstat(file, &this) == 0 &&
        out.st_ino == this.st_ino && out.st_dev == this.st_dev)
        must(dup2(STDOUT_FILENO, fd), "dup2"); /* neither overwrites the other */
    else
        must(dup2(file, fd), "dup2");
    close(file);
    return true;
}

/* Takes the words before the command line. Returns how many. */
static int prepare(char **words, int n) {
    for (int i = 0; i < n; i++) {
        char *value = strchr(words[i], '=');
        if (value == NULL)
            return i;
        if (redirect(words[i], "STDIN", O_RDONLY, STDIN_FILENO) ||
            redirect(words[i], "STDOUT", O_WRONLY, STDOUT_FILENO) ||
            redirect(words[i], "STDERR", O_WRONLY, STDERR_FILENO))
            continue;
        *value++ = '\0';
        must(setenv(words[i], value, 1), "setenv");
        if (strcmp(words[i], "PWD") == 0)
            must(chdir(value), value);
    }
    return n;
}

int main(void) {
    static char text[MOST_BYTES + 1];
    static char *words[MOST_WORDS + 1];
    FILE *in = fdopen(must(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10), "fcntl"), "r");
    FILE *to = fdopen(must(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10), "fcntl"), "w");
    int null = must(open("/dev/null", O_RDWR | O_CLOEXEC), "/dev/null");
    int out = nameless(), err = must(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10), "fcntl"), n;
    if (in == NULL || to == NULL)
        die("fdopen");
    signal(SIGPIPE, SIG_IGN); /* a client that reads no further is no end */
    while ((n = read_words(in, text, words)) > 0) {
        must(dup2(null, STDIN_FILENO), "dup2");
        must(dup2(out, STDOUT_FILENO), "dup2");
        must(dup2(err, STDERR_FILENO), "dup2");
        int before = prepare(words, n);
        int status = fxtop_main(n - before, words + before);
        fflush(NULL);
        clearerr(stdout);
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) /* a pipe ends before the answer */
            must(dup2(null, fd), "dup2");
        off_t out_bytes = size_of(out), err_bytes = size_of(err);
        fprintf(to, "%d %lld %lld\n", status, (long long)out_bytes, (long long)err_bytes);
        hand_over(out, out_bytes, to);
        hand_over(err, err_bytes, to);
        if (fflush(to) != 0)
            die("answer");
    }
    return 0;
}
