/* blocks.c - groups of blocks go through the queue of the worker, in turn to the two makers.
 *
 * While the blocks of a group are made the group before it is written. The calling thread then
 * helps to make the rest: worker_wait() does so. A maker's blocks are made in their order and never
 * two at a time, because its state is their ctx (src/base/worker.h). The makers write to no common
 * cache line: that took more time than all else. */
#include "model/output/lines/blocks.h"

#include "src/base/worker.h"

#define BLOCK 256u /* rows: about 60 kB of text */
#define GROUP 16u  /* blocks */

struct maker {
    blocks_make *make;
    void *hand;
    uint64_t n;         /* rows in all */
    uint64_t next;      /* its next block */
    struct chars *text; /* of blocks, modulo 2 * GROUP */
    char apart[BLOCKS_APART];
};

static void make_next(void *ctx, void *none) {
    struct maker *m = ctx;
    uint64_t from = m->next * BLOCK, to = m->n - from < BLOCK ? m->n : from + BLOCK;
    struct chars *text = &m->text[m->next % (2 * GROUP)];
    struct chars own = {text->v, 0, text->cap}; /* the other maker's texts share its cache line */
    (void)none;
    m->make(m->hand, from, to, &own);
    *text = own;
    m->next += BLOCKS_HANDS;
}

static void write_blocks(struct chars *text, uint64_t from, uint64_t to, FILE *out) {
    for (uint64_t block = from; block < to && !ferror(out); block++)
        chars_write(&text[block % (2 * GROUP)], out);
}

void blocks_write(struct worker *worker, blocks_make *make, void *const hands[BLOCKS_HANDS],
                  uint64_t n, FILE *out) {
    struct chars text[2 * GROUP] = {{0}};
    struct maker makers[BLOCKS_HANDS];
    uint64_t blocks = n / BLOCK + (n % BLOCK > 0), written = 0;
    if (blocks <= 1)
        worker = NULL; /* starting its thread takes longer */
    for (unsigned i = 0; i < BLOCKS_HANDS; i++)
        makers[i] = (struct maker){.make = make, .hand = hands[i], .n = n, .next = i, .text = text};
    for (uint64_t given = 0; written < blocks && !ferror(out);) {
        uint64_t until = given;
        for (; given < blocks && given - until < GROUP; given++) {
            if (worker)
                worker_give(worker, make_next, &makers[given % BLOCKS_HANDS], NULL);
            else
                make_next(&makers[given % BLOCKS_HANDS], NULL);
        }
        write_blocks(text, written, until, out);
        written = until == given ? blocks : until;
        if (worker)
            worker_wait(worker);
    }
    if (worker)
        worker_rest(worker);
    for (unsigned i = 0; i < 2 * GROUP; i++)
        vec_free(&text[i]);
}
