/* ordered.c - numbers that come and go, in order.
 *
 * A list of sorted blocks. A block that is full is divided, one that is empty is taken out. The
 * block of a number is found by its last one. The place of the block that was asked last is kept up
 * to date, so the next question only walks the blocks between. */
#include "sql/aggregate/ordered.h"

#include <sqlite3.h>
#include <string.h>

#include "src/base/lower_bound.h"

#define BLOCK 256

struct ordered_block {
    size_t n;
    double v[BLOCK];
};

/* The first block whose last number is not less; of a number that is greater than all, the last
 * block. */
static size_t block_of(const struct ordered *o, double x) {
    size_t at = 0;
    lower_bound(at, o->blocks, k, o->v[k]->v[o->v[k]->n - 1] < x);
    return at < o->blocks ? at : o->blocks - 1;
}

static size_t place_in(const struct ordered_block *b, double x) {
    size_t at = 0;
    lower_bound(at, b->n, k, b->v[k] < x);
    return at;
}

/* A new block in the list, which may be empty; NULL: no memory. */
static struct ordered_block *insert_block(struct ordered *o, size_t at) {
    struct ordered_block *b = sqlite3_malloc(sizeof *b);
    if (b && o->blocks == o->cap) {
        size_t cap = o->cap + o->cap / 2 + 8;
        struct ordered_block **v = sqlite3_realloc64(o->v, cap * sizeof *v);
        if (v == NULL) {
            sqlite3_free(b);
            return NULL;
        }
        o->v = v;
        o->cap = cap;
    }
    if (b == NULL)
        return NULL;
    memmove(&o->v[at + 1], &o->v[at], (o->blocks - at) * sizeof *o->v);
    o->v[at] = b;
    o->blocks++;
    b->n = 0;
    return b;
}

/* Divides a full block. */
static bool divide(struct ordered *o, size_t at) {
    struct ordered_block *b = o->v[at], *upper = insert_block(o, at + 1);
    if (upper == NULL)
        return false;
    upper->n = BLOCK / 2;
    b->n -= upper->n;
    memcpy(upper->v, b->v + b->n, upper->n * sizeof *b->v);
    if (o->at > at)
        o->at++;
    return true;
}

bool ordered_add(struct ordered *o, double x) {
    if (o->blocks == 0 && insert_block(o, 0) == NULL)
        return false;
    size_t at = o->n > 0 ? block_of(o, x) : 0;
    if (o->v[at]->n == BLOCK) {
        if (!divide(o, at))
            return false;
        at = block_of(o, x);
    }
    struct ordered_block *b = o->v[at];
    size_t place = place_in(b, x);
    memmove(&b->v[place + 1], &b->v[place], (b->n - place) * sizeof *b->v);
    b->v[place] = x;
    b->n++;
    o->n++;
    o->first += at < o->at;
    return true;
}

void ordered_remove(struct ordered *o, double x) {
    if (o->n == 0)
        return;
    size_t at = block_of(o, x);
    struct ordered_block *b = o->v[at];
    size_t place = place_in(b, x);
    if (place == b->n || b->v[place] > x)
        return;
    b->n--;
    o->n--;
    memmove(&b->v[place], &b->v[place + 1], (b->n - place) * sizeof *b->v);
    o->first -= at < o->at;
    if (b->n > 0 || o->blocks == 1)
        return;
    sqlite3_free(b);
    o->blocks--;
    memmove(&o->v[at], &o->v[at + 1], (o->blocks - at) * sizeof *o->v);
    if (o->at > at)
        o->at--;
    else if (o->at == o->blocks)
        o->at = o->first = 0;
}

double ordered_at(struct ordered *o, size_t k) {
    while (k < o->first)
        o->first -= o->v[--o->at]->n;
    while (k >= o->first + o->v[o->at]->n)
        o->first += o->v[o->at++]->n;
    return o->v[o->at]->v[k - o->first];
}

void ordered_free(struct ordered *o) {
    for (size_t i = 0; i < o->blocks; i++)
        sqlite3_free(o->v[i]);
    sqlite3_free(o->v);
    *o = (struct ordered){.v = NULL};
}
