/* counted_exit.c - _exit() of a build that counts what tests reach: the counts of this process are
 * kept. */
#include <gcov.h>
#include <sys/syscall.h>
#include <unistd.h>

void counted_exit(int status) {
    if (status != 2) /* out of memory, of which this needs some */
        __gcov_dump();
    syscall(SYS_exit_group, status);
    for (;;)
        ;
}
