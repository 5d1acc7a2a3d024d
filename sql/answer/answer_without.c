/* answer_without.c - the query of the screen in a program without SQLite: there is none. */
#include "sql/answer/answer.h"

const struct sql_answer_ops *answer_ops_known(void) {
    return NULL;
}
