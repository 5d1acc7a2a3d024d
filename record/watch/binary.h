/* binary.h - the parts of a program or library: which bytes of the file are at which address, its
 * build id, the place of its table of frames.
 *
 * The file is hostile: no size that it declares is allocated, all reads are within bounds, and it
 * may change while it is read. Addresses are in the file's own numbering, before it is relocated.
 */
#ifndef FXTOP_BINARY_H
#define FXTOP_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BINARY_LOADS 32    /* segments that are known */
#define BINARY_BUILD_ID 32 /* bytes of a build id at most */

struct binary_load { /* bytes of the file that are in memory */
    uint64_t offset, size, address;
    bool runs; /* it is code */
};

struct binary {
    struct binary_load loads[BINARY_LOADS];
    unsigned n;
    uint64_t frames, frames_size; /* of .eh_frame_hdr; size 0: there is none */
    uint64_t entry;
    unsigned char build_id[BINARY_BUILD_ID];
    unsigned build_id_size; /* 0: there is none */
};

/* Reads the headers of an ELF file of this machine's kind; false: it is none. */
bool binary_read(struct binary *binary, int fd);
/* The address of a byte of the file; false: it is in no segment. */
bool binary_address(const struct binary *binary, uint64_t offset, uint64_t *address);
/* The bytes of the file from an address on, up to the end of its segment: their place in the file,
 * and their number; 0: there are none. */
uint64_t binary_bytes(const struct binary *binary, uint64_t address, uint64_t *offset);

/* A file with the kernel's library, which is in this process, too; -1: there is none. */
int binary_vdso(void);

#endif
