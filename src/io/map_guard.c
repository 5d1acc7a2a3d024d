/* map_guard.c - SIGBUS in maps of files.
 *
 * The handler may run at any instruction of any thread, so the table of guards is fixed and of
 * volatile words. `high` is written last and cleared first, so that the handler never sees half a
 * range. */
#include "src/io/map_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum { GUARD_MAX = 160 };

struct guard {
    volatile uintptr_t low, high;
    volatile sig_atomic_t lost;
    bool used;
};

static struct guard guards[GUARD_MAX];
static uintptr_t page_size;
static struct sigaction sigbus_before;
#ifdef MAP_ANONYMOUS
enum { zeros_fd = -1 };
#else
#define MAP_ANONYMOUS 0
static int zeros_fd; /* POSIX has no map of zeros before 2024 */
#endif

static void on_sigbus(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    for (int i = 0; info->si_code > 0 && i < GUARD_MAX; i++) {
        if (address < guards[i].low || address >= guards[i].high)
            continue;
        uintptr_t page = address - address % page_size;
        void *zeros = mmap((void *)page, guards[i].high - page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, zeros_fd, 0);
        if (zeros == MAP_FAILED)
            break;
        guards[i].lost = 1;
        errno = saved;
        return;
    }
    /* not ours: faults again, for the handler before this one */
    sigaction(signal_number, &sigbus_before, NULL);
    if (info->si_code <= 0)
        raise(signal_number);
    errno = saved;
}

static void install_handler(void) {
    if (page_size != 0)
        return;
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
#if MAP_ANONYMOUS == 0
    zeros_fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
#endif
    struct sigaction action = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &sigbus_before);
}

int map_guard_new(void) {
    install_handler();
    for (int i = 0; i < GUARD_MAX; i++)
        if (!guards[i].used) {
            guards[i] = (struct guard){.used = true};
            return i;
        }
    return MAP_GUARD_NONE;
}

void map_guard_free(int guard) {
    if (guard == MAP_GUARD_NONE)
        return;
    map_guard_set(guard, NULL, 0);
    guards[guard].used = false;
}

void map_guard_set(int guard, const void *map, size_t n) {
    guards[guard].high = 0;
    guards[guard].low = (uintptr_t)map;
    guards[guard].high = (uintptr_t)map + n;
}

bool map_guard_lost(int guard) {
    return guard != MAP_GUARD_NONE && guards[guard].lost;
}
