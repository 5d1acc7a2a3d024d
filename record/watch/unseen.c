/* unseen.c - processes that go on, but whose events the kernel does not show us any more. */
#include "record/watch/unseen.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/watch/death.h"
#include "src/base/text.h"

#define DESCRIPTORS 64 /* at once; further processes are looked at */

void unseen_add(struct unseen *u, uint32_t pid, const char *name) {
    struct unseen_programs *p = &u->programs;
    unsigned i = 0;
    vec_push(&u->v,
             ((struct unseen_process){pid, u->v.n < DESCRIPTORS ? death_watch((pid_t)pid) : -1}));
    while (i < p->n && strcmp(p->v[i].name, name) != 0)
        i++;
    if (i == UNSEEN_PROGRAMS) {
        p->others++;
        return;
    }
    if (i == p->n) {
        p->v[p->n] = (struct unseen_program){.pid = pid};
        snprintf(p->v[p->n++].name, sizeof p->v->name, "%s", name);
    }
    p->v[i].processes++;
}

static bool has_ended(const struct unseen_process *p) {
    struct pollfd end = {p->fd, POLLIN, 0};
    return p->fd >= 0 ? poll(&end, 1, 0) > 0 : !death_is_far((pid_t)p->pid, (pid_t)p->pid);
}

bool unseen_next_end(struct unseen *u, uint32_t *pid) {
    for (size_t i = 0; i < u->v.n; i++) {
        if (!has_ended(&u->v.v[i]))
            continue;
        *pid = u->v.v[i].pid;
        if (u->v.v[i].fd >= 0)
            close(u->v.v[i].fd);
        u->v.v[i] = u->v.v[--u->v.n];
        return true;
    }
    return false;
}

void unseen_close(struct unseen *u) {
    for (size_t i = 0; i < u->v.n; i++)
        if (u->v.v[i].fd >= 0)
            close(u->v.v[i].fd);
    vec_free(&u->v);
}

void unseen_print(const struct unseen_programs *programs, bool ascii) {
    for (unsigned i = 0; i < programs->n; i++) {
        const struct unseen_program *p = &programs->v[i];
        char safe[100], more[32] = "";
        text_plain(safe, sizeof safe, str_of(p->name), ascii ? TEXT_ASCII : 0);
        if (p->processes > 1)
            snprintf(more, sizeof more, " and %u more", p->processes - 1);
        fprintf(stderr,
                "fxtop record: %s (%lu%s) has rights that you lack: its context switches are left "
                "out\n",
                safe, (unsigned long)p->pid, more);
    }
    if (programs->others > 0)
        fprintf(stderr,
                "fxtop record: %u processes of more programs have rights that you lack, too\n",
                programs->others);
}
