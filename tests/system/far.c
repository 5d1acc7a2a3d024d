/* far.c - far ROUNDS SEED TRACE...: the property of SEMANTICS 4.5 on whole traces
 * (tests/lib/far_times.h). */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/far_times.h"

int main(int argc, char **argv) {
    struct far_times far = {0};
    int failed = 0;
    if (argc < 4) {
        fputs("usage: far ROUNDS SEED TRACE...\n", stderr);
        return 2;
    }
    setlocale(LC_CTYPE, "C.UTF-8");
    struct chance chance = {strtoull(argv[2], NULL, 10) | 1};
    for (int i = 3; i < argc; i++)
        if (!far_times_hold(&far, argv[i], &chance, (unsigned)strtoul(argv[1], NULL, 10))) {
            printf("FAIL %s: %s\n", argv[i], far.why);
            failed++;
        }
    printf("%u traces damaged, %u timestamps replaced, %d failed\n", far.rounds, far.replaced,
           failed);
    return failed > 0;
}
