/* every.c - every FILE...: each file in all modes, views and queries, in one process.
 *
 * It is for builds with sanitizers, where a process takes longer to begin than most runs. A run
 * is good if it ends with a status that the manual knows. A sanitizer ends the process. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/system/command_lines.h"

#define JOINED 20

static FILE *say; /* standard output of the test: that of the program is nowhere */
static unsigned passed, failed;

static void hold(void *user, const char *what, const char *const *words, int n) {
    char *file = user;
    fprintf(stderr, "every: %s: %s\n", file, what); /* the last one is the guilty one */
    int status = command_lines_run(words, n, file);
    fflush(stdout);
    passed += status >= 0 && status <= 2;
    failed += status < 0 || status > 2;
    if (status < 0 || status > 2)
        fprintf(say, "FAILED: %s: %s: status %d\n", file, what, status);
}

int main(int argc, char **argv) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), own = dup(STDOUT_FILENO);
    say = own >= 0 ? fdopen(own, "w") : NULL;
    if (null < 0 || say == NULL || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0) {
        perror("every");
        return 2;
    }
    for (int i = 1; i < argc; i++)
        command_lines(JOINED, hold, argv[i]);
    fprintf(say, "%u passed, %u failed\n", passed, failed);
    fclose(say);
    return failed > 0;
}
