/* binary.c - reads the headers of an ELF file.
 *
 * Each is copied before it is looked at. So a file that is cut meanwhile gives fewer bytes, and
 * never a signal. */
#include "record/watch/binary.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEADERS 64      /* program headers that are looked at */
#define VDSO (64 << 10) /* bytes of it at most */
#define NOTES (4 << 10) /* bytes of notes that are looked at */

#if defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_X86_64
#endif

static bool read_at(int fd, void *to, size_t n, uint64_t at) {
    return at <= INT64_MAX - n && pread(fd, to, n, (off_t)at) == (ssize_t)n;
}

/* Takes the build id of notes: name length, length of the contents, type, name and contents, the
 * last two in words of 4 bytes. */
static void take_notes(struct binary *b, int fd, uint64_t at, uint64_t size) {
    unsigned char notes[NOTES];
    size_t n = size < sizeof notes ? (size_t)size : sizeof notes, i = 0;
    if (!read_at(fd, notes, n, at))
        return;
    while (n - i >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr note;
        memcpy(&note, notes + i, sizeof note);
        i += sizeof note;
        size_t name = ((size_t)note.n_namesz + 3) / 4 * 4,
               all = ((size_t)note.n_descsz + 3) / 4 * 4;
        if (name > n - i || all > n - i - name)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(notes + i, "GNU", 4) == 0 && note.n_descsz <= BINARY_BUILD_ID) {
            memcpy(b->build_id, notes + i + name, note.n_descsz);
            b->build_id_size = note.n_descsz;
            return;
        }
        i += name + all;
    }
}

static void take_header(struct binary *b, int fd, const Elf64_Phdr *h) {
    if (h->p_type == PT_LOAD && b->n < BINARY_LOADS && h->p_filesz <= UINT64_MAX - h->p_offset &&
        h->p_filesz <= UINT64_MAX - h->p_vaddr)
        b->loads[b->n++] =
            (struct binary_load){h->p_offset, h->p_filesz, h->p_vaddr, (h->p_flags & PF_X) != 0};
    else if (h->p_type == PT_GNU_EH_FRAME) {
        b->frames = h->p_vaddr;
        b->frames_size = h->p_filesz;
    } else if (h->p_type == PT_NOTE && b->build_id_size == 0)
        take_notes(b, fd, h->p_offset, h->p_filesz);
}

bool binary_read(struct binary *b, int fd) {
    Elf64_Ehdr e;
    *b = (struct binary){0};
    if (!read_at(fd, &e, sizeof e, 0) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
        e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_ident[EI_DATA] != ELFDATA2LSB ||
        e.e_machine != MACHINE || e.e_phentsize != sizeof(Elf64_Phdr))
        return false;
    b->entry = e.e_entry;
    for (unsigned i = 0; i < e.e_phnum && i < HEADERS; i++) {
        Elf64_Phdr h;
        if (e.e_phoff > UINT64_MAX - i * sizeof h ||
            !read_at(fd, &h, sizeof h, e.e_phoff + i * sizeof h))
            break;
        take_header(b, fd, &h);
    }
    return b->n > 0;
}

bool binary_address(const struct binary *b, uint64_t offset, uint64_t *address) {
    for (int runs = 1; runs >= 0; runs--) /* a page at the border is in two segments */
        for (unsigned i = 0; i < b->n; i++) {
            const struct binary_load *l = &b->loads[i];
            uint64_t page = l->offset & ~UINT64_C(4095); /* it is mapped from the page's begin on */
            if (l->runs == (runs == 1) && offset >= page && offset - page < l->size + 4096) {
                *address = l->address + (offset - l->offset);
                return true;
            }
        }
    return false;
}

uint64_t binary_bytes(const struct binary *b, uint64_t address, uint64_t *offset) {
    for (unsigned i = 0; i < b->n; i++) {
        const struct binary_load *l = &b->loads[i];
        if (address >= l->address && address - l->address < l->size) {
            *offset = l->offset + (address - l->address);
            return l->size - (address - l->address);
        }
    }
    return 0;
}

int binary_vdso(void) {
    const unsigned char *vdso = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
    Elf64_Ehdr e;
    if (vdso == NULL || memcmp(vdso, ELFMAG, SELFMAG) != 0)
        return -1;
    memcpy(&e, vdso, sizeof e);
    size_t n = e.e_shoff + (size_t)e.e_shnum * e.e_shentsize;
    int fd = n <= VDSO ? memfd_create("vdso", MFD_CLOEXEC) : -1;
    if (fd >= 0 && write(fd, vdso, n) != (ssize_t)n) {
        close(fd);
        fd = -1;
    }
    return fd;
}
