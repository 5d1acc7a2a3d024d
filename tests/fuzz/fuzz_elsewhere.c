/* fuzz_elsewhere.c - the targets of recording on systems that cannot record: nothing is tried. */
#include "tests/fuzz/fuzz.h"

void fuzz_packet(const uint8_t *data, size_t size) {
    (void)data;
    (void)size;
}

void fuzz_readout(const uint8_t *data, size_t size) {
    (void)data;
    (void)size;
}
