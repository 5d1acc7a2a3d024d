/* unwind.c - reads .eh_frame: a search table, entries of functions, and their programs, by which
 * the registers of the caller are found at each address. */
#include "record/watch/unwind.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/err.h"
#include "src/base/hash.h"

#define KEPT 256      /* rules of a table */
#define STEPS 10000   /* instructions of a program */
#define REMEMBERED 8  /* states of it */
#define OPERATIONS 64 /* of an expression */
#define DEPTH 16      /* of its stack */

/* Encodings of pointers, and their bases. */
enum { U16 = 2, U32 = 3, U64 = 4, S16 = 10, S32 = 11, S64 = 12, ULEB = 1, SLEB = 9 };
enum { ABSOLUTE = 0, TO_ITSELF = 0x10, TO_TABLE = 0x30, RELATIVE = 0x70, OMITTED = 0xff };

enum how { UNKNOWN, SAME, AT_OFFSET, IS_OFFSET, IN_REGISTER, AT_EXPRESSION, IS_EXPRESSION };

struct rule {
    uint8_t how; /* enum how */
    uint8_t reg;
    uint16_t size;  /* of an expression */
    uint32_t place; /* of it, in the bytes */
    int64_t offset;
};

struct row {
    struct rule cfa, r[UNWIND_REGISTERS];
};

struct kept {
    uint64_t address; /* + 1; 0: none */
    bool found, of_signal;
    struct row row;
};

struct unwind {
    uint64_t table, frames; /* addresses of both parts */
    unsigned char *bytes;   /* of the first, then of the second */
    size_t n, header;       /* header: bytes of the first */
    uint8_t encoding;       /* of the search table */
    size_t entries;         /* of it; their size is 8 bytes */
    size_t at;              /* of the first one */
    struct kept *kept;
};

/* A part of the bytes that is read in order. */
struct cursor {
    const struct unwind *u;
    size_t at, end;
    bool bad;
};

struct entry { /* of a function */
    uint64_t low, size;
    uint64_t code; /* factor of steps */
    int64_t data;  /* factor of offsets */
    struct cursor first, program;
    bool of_signal, augmented;
};

/* ---- bytes ---- */

static uint64_t take(struct cursor *c, unsigned n) {
    uint64_t v = 0;
    if (c->bad || n > c->end - c->at) {
        c->bad = true;
        return 0;
    }
    memcpy(&v, c->u->bytes + c->at, n); /* both machines have the least byte first */
    c->at += n;
    return v;
}

static uint64_t take_leb(struct cursor *c, bool is_signed) {
    uint64_t v = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(c, 1);
        v |= shift < 64 ? (byte & 127) << shift : 0;
        shift += 7;
    } while ((byte & 128) && !c->bad);
    if (is_signed && shift < 64 && (byte & 64))
        v |= ~UINT64_C(0) << shift;
    return v;
}

static uint64_t take_uleb(struct cursor *c) {
    return take_leb(c, false);
}

static int64_t take_sleb(struct cursor *c) {
    return (int64_t)take_leb(c, true);
}

static struct cursor part(const struct cursor *c, size_t n) {
    struct cursor p = {c->u, c->at, c->at + n, c->bad || n > c->end - c->at};
    p.end = p.bad ? p.at : p.end;
    return p;
}

static void skip(struct cursor *c, uint64_t n) {
    if (n > c->end - c->at)
        c->bad = true;
    else
        c->at += (size_t)n;
}

/* The address of a byte. */
static uint64_t address_of(const struct unwind *u, size_t at) {
    return at < u->header ? u->table + at : u->frames + (at - u->header);
}

static uint64_t take_pointer(struct cursor *c, unsigned encoding) {
    uint64_t base = 0, v;
    if ((encoding & RELATIVE) == TO_ITSELF)
        base = address_of(c->u, c->at);
    else if ((encoding & RELATIVE) == TO_TABLE)
        base = c->u->table;
    else if ((encoding & RELATIVE) != ABSOLUTE)
        c->bad = true;
    switch (encoding & 15) {
    case U16:
        v = take(c, 2);
        break;
    case U32:
        v = take(c, 4);
        break;
    case S16:
        v = (uint64_t)(int16_t)take(c, 2);
        break;
    case S32:
        v = (uint64_t)(int32_t)take(c, 4);
        break;
    case ULEB:
        v = take_uleb(c);
        break;
    case SLEB:
        v = (uint64_t)take_sleb(c);
        break;
    case ABSOLUTE:
    case U64:
    case S64:
        v = take(c, 8);
        break;
    default:
        c->bad = true;
        v = 0;
    }
    return base + v;
}

/* ---- open ---- */

static bool read_part(struct unwind *u, int fd, uint64_t from, uint64_t n) {
    size_t at = u->n;
    u->bytes = err_realloc(u->bytes, at + (size_t)n + 8, 1);
    if (from > INT64_MAX - n || pread(fd, u->bytes + at, (size_t)n, (off_t)from) != (ssize_t)n)
        return false;
    u->n += (size_t)n;
    return true;
}

/* The bytes at an address that the file really has. */
static uint64_t there(const struct binary *b, uint64_t address, uint64_t file, uint64_t *from) {
    uint64_t n = binary_bytes(b, address, from);
    if (n == 0 || *from >= file)
        return 0;
    return n < file - *from ? n : file - *from;
}

static bool read_table(struct unwind *u, int fd, const struct binary *b, uint64_t file,
                       size_t most) {
    uint64_t from, n = there(b, b->frames, file, &from);
    n = n < b->frames_size ? n : b->frames_size;
    if (n < 12 || n > most || !read_part(u, fd, from, n))
        return false;
    u->table = b->frames;
    u->header = u->n;
    struct cursor c = {u, 0, u->n, false};
    unsigned version = (unsigned)take(&c, 1), frames = (unsigned)take(&c, 1),
             count = (unsigned)take(&c, 1);
    u->encoding = (uint8_t)take(&c, 1);
    u->frames = take_pointer(&c, frames);
    uint64_t entries = take_pointer(&c, count);
    if (c.bad || version != 1 || u->encoding != (TO_TABLE | S32))
        return false;
    u->at = c.at;
    u->entries = entries < (u->header - c.at) / 8 ? (size_t)entries : (u->header - c.at) / 8;
    n = there(b, u->frames, file, &from);
    return n >= 8 && n <= most - u->n && read_part(u, fd, from, n);
}

struct unwind *unwind_open(int fd, const struct binary *b, size_t most) {
    struct stat st;
    if (b->n == 0 || b->frames_size == 0 || fstat(fd, &st) != 0 || st.st_size <= 0)
        return NULL;
    struct unwind *u = err_calloc(1, sizeof *u);
    if (most > UINT32_MAX)
        most = UINT32_MAX;
    if (!read_table(u, fd, b, (uint64_t)st.st_size, most)) {
        unwind_close(u);
        return NULL;
    }
    u->kept = err_calloc(KEPT, sizeof *u->kept);
    return u;
}

void unwind_close(struct unwind *u) {
    if (u == NULL)
        return;
    free(u->bytes);
    free(u->kept);
    free(u);
}

size_t unwind_bytes(const struct unwind *u) {
    return u ? u->n + KEPT * sizeof *u->kept : 0;
}

/* ---- the entry of a function ---- */

/* The last entry of the search table that begins at or before an address; false: none does. */
static bool search(const struct unwind *u, uint64_t address, size_t *place) {
    size_t low = 0, high = u->entries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct cursor c = {u, u->at + middle * 8, u->header, false};
        if (take_pointer(&c, u->encoding) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    struct cursor c = {u, u->at + (low - 1) * 8 + 4, u->header, false};
    uint64_t at = take_pointer(&c, u->encoding) - u->frames;
    *place = u->header + (size_t)at;
    return !c.bad && at < u->n - u->header;
}

/* The contents of a record, after its length; *itself: the place of the next record. */
static bool open_record(const struct unwind *u, size_t at, struct cursor *c) {
    *c = (struct cursor){u, at, u->n, false};
    uint64_t n = take(c, 4);
    if (n == UINT32_MAX)
        n = take(c, 8);
    if (c->bad || n == 0 || n > c->end - c->at)
        return false;
    c->end = c->at + (size_t)n;
    return true;
}

/* The record that those of several functions share. Returns the encoding of their addresses. */
static unsigned take_common(const struct unwind *u, size_t at, struct entry *e) {
    struct cursor c;
    char letters[16] = "";
    unsigned encoding = ABSOLUTE, n = 0, letter;
    if (!open_record(u, at, &c) || take(&c, 4) != 0)
        return OMITTED;
    unsigned version = (unsigned)take(&c, 1);
    while ((letter = (unsigned)take(&c, 1)) != 0 && n + 1 < sizeof letters)
        letters[n++] = (char)letter;
    e->code = take_uleb(&c);
    e->data = take_sleb(&c);
    uint64_t returns = version == 1 ? take(&c, 1) : take_uleb(&c);
    if (c.bad || returns != UNWIND_RETURN || (letters[0] != 0 && letters[0] != 'z'))
        return OMITTED;
    uint64_t size = letters[0] == 'z' ? take_uleb(&c) : 0;
    struct cursor more = part(&c, size <= u->n ? (size_t)size : u->n);
    for (unsigned i = 1; i < n; i++) {
        if (letters[i] == 'R')
            encoding = (unsigned)take(&more, 1);
        else if (letters[i] == 'P')
            take_pointer(&more, (unsigned)take(&more, 1) & 0x7f);
        else if (letters[i] == 'L')
            take(&more, 1);
        else if (letters[i] == 'S')
            e->of_signal = true;
        else if (letters[i] != 'B')
            return OMITTED;
    }
    e->augmented = letters[0] == 'z';
    skip(&c, size);
    e->first = c;
    return more.bad || c.bad ? OMITTED : encoding;
}

static bool find_entry(const struct unwind *u, uint64_t address, struct entry *e) {
    size_t at;
    struct cursor c;
    *e = (struct entry){0};
    if (!search(u, address, &at) || !open_record(u, at, &c))
        return false;
    size_t itself = c.at;
    uint64_t back = take(&c, 4);
    if (back == 0 || back > itself - u->header)
        return false;
    unsigned encoding = take_common(u, itself - (size_t)back, e);
    if (encoding == OMITTED)
        return false;
    e->low = take_pointer(&c, encoding);
    e->size = take_pointer(&c, encoding & 15);
    if (e->augmented)
        skip(&c, take_uleb(&c));
    e->program = c;
    return !c.bad && address >= e->low && address - e->low < e->size;
}

/* ---- programs ---- */

struct machine {
    struct row row, first, remembered[REMEMBERED];
    unsigned n;
    const struct entry *e;
    uint64_t at, address;
    unsigned steps;
};

static void set(struct machine *m, uint64_t reg, struct rule rule) {
    if (reg < UNWIND_REGISTERS)
        m->row.r[reg] = rule;
}

static struct rule at_offset(const struct machine *m, int64_t n) {
    return (struct rule){.how = AT_OFFSET, .offset = (int64_t)((uint64_t)n * (uint64_t)m->e->data)};
}

static struct rule take_expression(struct cursor *c, enum how how) {
    uint64_t n = take_uleb(c);
    struct rule rule = {.how = (uint8_t)how, .place = (uint32_t)c->at};
    rule.size = n <= UINT16_MAX ? (uint16_t)n : 0;
    skip(c, n);
    return rule;
}

static void advance(struct machine *m, uint64_t n) {
    m->at += n * m->e->code;
}

static void restore(struct machine *m, uint64_t reg) {
    if (reg < UNWIND_REGISTERS)
        m->row.r[reg] = m->first.r[reg];
}

static void set_cfa(struct machine *m, uint64_t reg, int64_t offset) {
    m->row.cfa =
        (struct rule){.how = IS_OFFSET, .reg = reg < 255 ? (uint8_t)reg : 255, .offset = offset};
}

/* Instructions with operands of their own; false: not known. */
static bool run_other(struct machine *m, struct cursor *c, unsigned code) {
    uint64_t reg;
    switch (code) {
    case 0x00: /* nothing */
        return true;
    case 0x01:
        m->at = take(c, 8);
        return true;
    case 0x02:
        advance(m, take(c, 1));
        return true;
    case 0x03:
        advance(m, take(c, 2));
        return true;
    case 0x04:
        advance(m, take(c, 4));
        return true;
    case 0x05: /* at an offset */
        reg = take_uleb(c);
        set(m, reg, at_offset(m, (int64_t)take_uleb(c)));
        return true;
    case 0x06:
        restore(m, take_uleb(c));
        return true;
    case 0x07: /* undefined */
        set(m, take_uleb(c), (struct rule){.how = UNKNOWN});
        return true;
    case 0x08:
        set(m, take_uleb(c), (struct rule){.how = SAME});
        return true;
    case 0x09:
        reg = take_uleb(c);
        set(m, reg, (struct rule){.how = IN_REGISTER, .reg = (uint8_t)take_uleb(c)});
        return true;
    case 0x0a: /* remember */
        if (m->n == REMEMBERED)
            return false;
        m->remembered[m->n++] = m->row;
        return true;
    case 0x0b:
        if (m->n == 0)
            return false;
        m->row = m->remembered[--m->n];
        return true;
    case 0x0c: /* the frame is at a register and an offset */
        reg = take_uleb(c);
        set_cfa(m, reg, (int64_t)take_uleb(c));
        return true;
    case 0x0d:
        set_cfa(m, take_uleb(c), m->row.cfa.offset);
        return true;
    case 0x0e:
        m->row.cfa.offset = (int64_t)take_uleb(c);
        return m->row.cfa.how == IS_OFFSET;
    case 0x0f:
        m->row.cfa = take_expression(c, IS_EXPRESSION);
        return true;
    case 0x10:
        reg = take_uleb(c);
        set(m, reg, take_expression(c, AT_EXPRESSION));
        return true;
    case 0x11:
        reg = take_uleb(c);
        set(m, reg, at_offset(m, take_sleb(c)));
        return true;
    case 0x12:
        reg = take_uleb(c);
        set_cfa(m, reg, (int64_t)((uint64_t)take_sleb(c) * (uint64_t)m->e->data));
        return true;
    case 0x13:
        m->row.cfa.offset = (int64_t)((uint64_t)take_sleb(c) * (uint64_t)m->e->data);
        return m->row.cfa.how == IS_OFFSET;
    case 0x14: /* is an offset */
    case 0x15:
        reg = take_uleb(c);
        struct rule rule = at_offset(m, code == 0x14 ? (int64_t)take_uleb(c) : take_sleb(c));
        rule.how = IS_OFFSET;
        set(m, reg, rule);
        return true;
    case 0x16:
        reg = take_uleb(c);
        set(m, reg, take_expression(c, IS_EXPRESSION));
        return true;
    case 0x2d: /* aarch64: whether the return address is signed; its upper bits are left out */
        return true;
    case 0x2e: /* bytes of arguments */
        take_uleb(c);
        return true;
    default:
        return false;
    }
}

/* Up to the address. */
static bool run(struct machine *m, struct cursor c) {
    while (c.at < c.end && !c.bad && m->at <= m->address) {
        if (m->steps++ == STEPS)
            return false;
        unsigned code = (unsigned)take(&c, 1), low = code & 63;
        if (code >> 6 == 1)
            advance(m, low);
        else if (code >> 6 == 2)
            set(m, low, at_offset(m, (int64_t)take_uleb(&c)));
        else if (code >> 6 == 3)
            restore(m, low);
        else if (!run_other(m, &c, code))
            return false;
    }
    return !c.bad;
}

static void find_row(const struct unwind *u, uint64_t address, struct kept *k) {
    struct entry e;
    struct machine m = {.e = &e, .address = address};
    *k = (struct kept){.address = address + 1};
    if (!find_entry(u, address, &e))
        return;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
        m.row.r[i].how = SAME;
    m.at = e.low;
    if (!run(&m, e.first))
        return;
    m.first = m.row;
    m.at = e.low;
    k->found = run(&m, e.program) && m.row.cfa.how != UNKNOWN;
    k->of_signal = e.of_signal;
    k->row = m.row;
}

static const struct kept *row_of(struct unwind *u, uint64_t address) {
    struct kept *k = &u->kept[hash_words(address, 0) % KEPT];
    if (k->address != address + 1)
        find_row(u, address, k);
    return k;
}

/* ---- values ---- */

static bool read_stack(struct unwind_state *s, uint64_t address, uint64_t *v) {
    if (address < s->start)
        return false;
    if (address - s->start > s->n || s->n - (size_t)(address - s->start) < sizeof *v) {
        s->cut = true;
        return false;
    }
    memcpy(v, s->stack + (size_t)(address - s->start), sizeof *v);
    return true;
}

static bool read_register(const struct unwind_state *s, uint64_t reg, uint64_t *v) {
    if (reg >= UNWIND_REGISTERS || (s->known >> reg & 1) == 0)
        return false;
    *v = s->r[reg];
    return true;
}

struct stack { /* of an expression */
    uint64_t v[DEPTH];
    unsigned n;
};

static bool push(struct stack *s, uint64_t v) {
    if (s->n == DEPTH)
        return false;
    s->v[s->n++] = v;
    return true;
}

static bool compute(unsigned code, uint64_t a, uint64_t b, uint64_t *v) {
    switch (code) {
    case 0x1a:
        *v = a & b;
        return true;
    case 0x1c:
        *v = a - b;
        return true;
    case 0x1e:
        *v = a * b;
        return true;
    case 0x21:
        *v = a | b;
        return true;
    case 0x22:
        *v = a + b;
        return true;
    case 0x24:
        *v = b < 64 ? a << b : 0;
        return true;
    case 0x25:
        *v = b < 64 ? a >> b : 0;
        return true;
    case 0x27:
        *v = a ^ b;
        return true;
    case 0x2a:
        *v = (int64_t)a >= (int64_t)b;
        return true;
    case 0x2d:
        *v = (int64_t)a < (int64_t)b;
        return true;
    default:
        return false;
    }
}

static bool operate(struct unwind_state *s, struct stack *stack, struct cursor *c, unsigned code) {
    uint64_t v;
    if (code >= 0x30 && code <= 0x4f) /* a number below 32 */
        return push(stack, code - 0x30);
    if (code >= 0x70 && code <= 0x8f) { /* a register and an offset */
        int64_t offset = take_sleb(c);
        return read_register(s, code - 0x70, &v) && push(stack, v + (uint64_t)offset);
    }
    switch (code) {
    case 0x06: /* the word there */
        return stack->n > 0 && read_stack(s, stack->v[stack->n - 1], &stack->v[stack->n - 1]);
    case 0x08:
        return push(stack, take(c, 1));
    case 0x09:
        return push(stack, (uint64_t)(int8_t)take(c, 1));
    case 0x0a:
        return push(stack, take(c, 2));
    case 0x0b:
        return push(stack, (uint64_t)(int16_t)take(c, 2));
    case 0x0c:
        return push(stack, take(c, 4));
    case 0x0d:
        return push(stack, (uint64_t)(int32_t)take(c, 4));
    case 0x10:
        return push(stack, take_uleb(c));
    case 0x11:
        return push(stack, (uint64_t)take_sleb(c));
    case 0x12:
        return stack->n > 0 && push(stack, stack->v[stack->n - 1]);
    case 0x23:
        v = take_uleb(c);
        return stack->n > 0 && (stack->v[stack->n - 1] += v, true);
    default:
        if (stack->n < 2)
            return false;
        stack->n--;
        return compute(code, stack->v[stack->n - 1], stack->v[stack->n], &stack->v[stack->n - 1]);
    }
}

static bool evaluate(const struct unwind *u, struct unwind_state *s, const struct rule *rule,
                     const uint64_t *cfa, uint64_t *v) {
    struct cursor c = {u, rule->place, (size_t)rule->place + rule->size, false};
    struct stack stack = {.n = 0};
    if (cfa)
        push(&stack, *cfa);
    for (int i = 0; c.at < c.end; i++)
        if (i == OPERATIONS || !operate(s, &stack, &c, (unsigned)take(&c, 1)) || c.bad)
            return false;
    if (stack.n == 0)
        return false;
    *v = stack.v[stack.n - 1];
    return true;
}

static bool value(const struct unwind *u, struct unwind_state *s, const struct rule *rule,
                  uint64_t cfa, uint64_t *v) {
    switch (rule->how) {
    case AT_OFFSET:
        return read_stack(s, cfa + (uint64_t)rule->offset, v);
    case IS_OFFSET:
        *v = cfa + (uint64_t)rule->offset;
        return true;
    case IN_REGISTER:
        return read_register(s, rule->reg, v);
    case AT_EXPRESSION:
        return evaluate(u, s, rule, &cfa, v) && read_stack(s, *v, v);
    case IS_EXPRESSION:
        return evaluate(u, s, rule, &cfa, v);
    default:
        return false;
    }
}

/* ---- steps ---- */

void unwind_begin(struct unwind_state *s, const uint64_t *registers) {
#if defined(__aarch64__)
    for (unsigned i = 0; i < 32; i++)
        s->r[i] = registers[i];
    s->r[32] = 0;
    s->pc = registers[32];
    s->known = (UINT64_C(1) << 32) - 1;
#else
    /* the kernel's order: ax, bx, cx, dx, si, di, bp, sp, ip, r8 to r15 */
    static const unsigned char places[16] = {0, 3, 2, 1, 4, 5, 6, 7};
    for (unsigned i = 0; i < 16; i++)
        s->r[i] = registers[i < 8 ? places[i] : i + 1];
    s->r[UNWIND_RETURN] = 0;
    s->pc = registers[8];
    s->known = 0xffff;
#endif
    s->start = s->r[UNWIND_STACK];
    s->exact = true;
    s->cut = false;
}

/* Bits that a signed address has above the others. */
static uint64_t plain(uint64_t pc) {
#if defined(__aarch64__)
    return pc & 0xffffffffffff;
#else
    return pc;
#endif
}

/* Code without an entry mostly has frame pointers: both words are on the stack. */
static bool step_by_pointer(struct unwind_state *s) {
    uint64_t frame = s->r[UNWIND_FRAME], next, pc;
    if ((s->known >> UNWIND_FRAME & 1) == 0 || frame < s->r[UNWIND_STACK] || frame % 8 != 0 ||
        !read_stack(s, frame, &next) || !read_stack(s, frame + 8, &pc))
        return false;
    s->r[UNWIND_FRAME] = next;
    s->r[UNWIND_STACK] = frame + 16;
    s->known = UINT64_C(1) << UNWIND_FRAME | UINT64_C(1) << UNWIND_STACK;
    s->pc = plain(pc);
    s->exact = false;
    return s->pc != 0;
}

bool unwind_step(struct unwind *u, struct unwind_state *s, uint64_t address) {
    const struct kept *k = u ? row_of(u, address) : NULL;
    uint64_t cfa;
    if (k == NULL || !k->found)
        return step_by_pointer(s);
    const struct row *row = &k->row;
    if (row->cfa.how == IS_EXPRESSION) {
        if (!evaluate(u, s, &row->cfa, NULL, &cfa))
            return false;
    } else {
        if (!read_register(s, row->cfa.reg, &cfa))
            return false;
        cfa += (uint64_t)row->cfa.offset;
    }
    struct unwind_state next = *s;
    next.known = 0;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++) {
        bool known = row->r[i].how == SAME ? read_register(s, i, &next.r[i])
                                           : value(u, s, &row->r[i], cfa, &next.r[i]);
        next.known |= (uint64_t)known << i;
    }
    next.cut = s->cut;
    bool leaf = s->exact && row->r[UNWIND_RETURN].how == SAME; /* it is still in its register */
    if ((next.known >> UNWIND_RETURN & 1) == 0 || row->r[UNWIND_RETURN].how == UNKNOWN ||
        (row->r[UNWIND_RETURN].how == SAME && !leaf)) {
        s->cut = next.cut;
        return false;
    }
    if (row->r[UNWIND_STACK].how == SAME) {
        next.r[UNWIND_STACK] = cfa;
        next.known |= UINT64_C(1) << UNWIND_STACK;
    }
    next.pc = plain(next.r[UNWIND_RETURN]);
    next.exact = k->of_signal;
    bool goes_on = (next.r[UNWIND_STACK] > s->r[UNWIND_STACK] || leaf) && next.pc != 0;
    if (!goes_on)
        return false;
    *s = next;
    return true;
}
