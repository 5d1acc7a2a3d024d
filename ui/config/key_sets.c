/* key_sets.c - the table of key sets.
 *
 * On other keyboards W, A, S and D lie apart. azerty and dvorak put zoom and pan back to the same
 * places, and the commands from there go to the letters that are free then. vi and emacs add keys
 * and take none away, but for Esc in emacs, which begins a sequence as Meta does. */
#include "ui/config/key_sets.h"

#include <stddef.h>

static const struct key_line vi[] = {
    {"<C-f>", "page-down"},
    {"<C-f>", "table-page-down"},
    {"<C-f>", "text-page-down"},
    {"<C-b>", "page-up"},
    {"<C-b>", "table-page-up"},
    {"<C-b>", "text-page-up"},
    {"<C-o>", "back"},
    {"<C-r>", "forward"},
    {"<C-]>", "flow-next"},
    {"<C-t>", "flow-previous"},
    {"<C-g>", "information"},
    {"zj", "next-track"},
    {"zk", "previous-track"},
    {"za", "enter"},
    {NULL, NULL},
};

static const struct key_line emacs[] = {
    {"<C-n>", "down"},
    {"<C-n>", "table-down"},
    {"<C-n>", "text-down"},
    {"<C-n>", "drawer-down"},
    {"<C-n>", "flame-down"},
    {"<C-p>", "up"},
    {"<C-p>", "table-up"},
    {"<C-p>", "text-up"},
    {"<C-p>", "drawer-up"},
    {"<C-p>", "flame-up"},
    {"<C-f>", "next"},
    {"<C-f>", "table-right"},
    {"<C-f>", "tab-next"},
    {"<C-f>", "flame-right"},
    {"<C-b>", "previous"},
    {"<C-b>", "table-left"},
    {"<C-b>", "tab-previous"},
    {"<C-b>", "flame-left"},
    {"<C-v>", "page-down"},
    {"<C-v>", "table-page-down"},
    {"<C-v>", "text-page-down"},
    {"<Esc>v", "page-up"},
    {"<Esc>v", "table-page-up"},
    {"<Esc>v", "text-page-up"},
    {"<C-a>", "first"},
    {"<C-e>", "last"},
    {"<Esc><lt>", "start"},
    {"<Esc><lt>", "table-start"},
    {"<Esc><lt>", "text-start"},
    {"<Esc><gt>", "end"},
    {"<Esc><gt>", "table-end"},
    {"<Esc><gt>", "text-end"},
    {"<C-s>", "find"},
    {"<C-r>", "find-previous"},
    {"<C-g>", "deselect"},
    {"<C-g>", "table-back"},
    {"<C-g>", "text-close"},
    {"<C-g>", "flame-close"},
    {"<Esc><Esc>", "deselect"},
    {"<Esc><Esc>", "table-back"},
    {"<Esc><Esc>", "text-close"},
    {"<Esc><Esc>", "flame-close"},
    {"<Esc>x", "command"},
    {"<Esc>w", "copy"},
    {"<C-Space>", "range-start"},
    {"<C-x>u", "back"},
    {"<C-x>o", "drawer"},
    {"<C-x>k", "quit"},
    {"<C-x><C-c>", "quit-now"},
    {NULL, NULL},
};

const struct key_set key_sets[] = {
    {"default", "", NULL}, {"azerty", "wzaqWZAQ", NULL}, {"dvorak", "w,soedW<SOED", NULL},
    {"vi", "", vi},        {"emacs", "", emacs},
};
const int key_set_count = sizeof key_sets / sizeof *key_sets;
