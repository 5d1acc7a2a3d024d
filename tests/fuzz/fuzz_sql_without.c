/* fuzz_sql_without.c - the target of statements in a build without SQLite. */
#include "tests/fuzz/fuzz.h"

void fuzz_sql(const uint8_t *data, size_t size) {
    (void)data;
    (void)size;
}
