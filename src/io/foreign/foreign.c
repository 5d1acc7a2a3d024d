/* foreign.c - a table of marks at the start of files, each with the format's name and what to do.
 *
 * Marks are of at least four bytes, of whole words of text, or of no text. A mark inside gzip or
 * zstd counts, too. The suffix of a name is asked last, of formats without a mark. */
#include "src/io/foreign/foreign.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* The bytes of a single stream are unpacked before they come here. */
#define TWICE "compressed twice: unpack it once (zcat FILE | fxtop -, or zstdcat)"
#define NSYS "a report of Nsight Systems: nsys export --type sqlite FILE makes a database"
#define PERFETTO "a damaged Perfetto trace"
#define ETW "a log of ETW (Windows): tracerpt, or xperf -i FILE -o x.csv, prints it"

static const struct foreign {
    struct str mark;
    size_t at; /* offset of the mark */
    const char *said;
    bool binary; /* text may begin with the mark: then its first bytes have more than that */
} table[] = {
    {STR("PK\003\004"), 0, "a zip archive: unpack it first (unzip -p FILE | fxtop -)", false},
    {STR("\xfd\x37zXZ\0"), 0, "compressed with xz: unpack it first (xzcat FILE | fxtop -)", false},
    {STR("\x1f\x8b\x08"), 0, TWICE, true},
    {STR("\x28\xb5\x2f\xfd"), 0, TWICE, false},
    {STR("BZh"), 0, "compressed with bzip2: unpack it first (bzcat FILE | fxtop -)", true},
    {STR("\x04\x22\x4d\x18"), 0, "compressed with lz4: unpack it first (lz4 -dc FILE | fxtop -)",
     false},
    {STR("\x5d\0\0"), 0,
     "compressed with lzma: unpack it first (xz -dc --format=lzma FILE | fxtop -)", false},
    {STR("7z\xbc\xaf\x27\x1c"), 0, "a 7z archive: unpack it first (7z x -so FILE | fxtop -)",
     false},
    {STR("ustar"), 257, "a tar archive: unpack it first (tar xOf FILE MEMBER | fxtop -)", false},
    {STR("daeh\xee\x66ub"), 0, "a trace buffer: fxtop record --recover FILE makes a trace of it",
     true},
    {STR("PERFILE2"), 0, "perf.data: perf script -F +pid -i FILE | fxtop -", false},
    {STR("2ELIFREP"), 0, "perf.data: perf script -F +pid -i FILE | fxtop -", false},
    {STR("\x17\x08\x44tracing"), 0, "trace.dat of trace-cmd: trace-cmd report prints it", false},
    {STR("\xc1\x1f\xfc\xc1"), 0, "a CTF stream (LTTng, barectf): babeltrace2 reads it", false},
    {STR("\xc1\xfc\x1f\xc1"), 0, "a CTF stream (LTTng, barectf): babeltrace2 reads it", false},
    {STR("\x75\xd1\x1d\x57"), 0, "CTF metadata (LTTng, barectf): babeltrace2 reads it", false},
    {STR("\x57\x1d\xd1\x75"), 0, "CTF metadata (LTTng, barectf): babeltrace2 reads it", false},
    {STR("/* CTF 1.8"), 0, "CTF metadata (LTTng, barectf): babeltrace2 reads it", false},
    {STR("FLR\0"), 0,
     "a recording of Java Flight Recorder: jfrconv --collapsed FILE makes collapsed stacks", false},
    {STR("Nettrace"), 0, "a .NET trace: dotnet-trace convert --format chromium FILE", true},
    {STR("ElfFile\0"), 0, "a Windows event log: evtx_dump reads it", false},
    {STR("tlZ\4"), 0, "a Tracy trace: tracy-csvexport -u FILE prints it", false},
    {STR("tZst"), 0, "a Tracy trace: tracy-csvexport -u FILE prints it", false},
    {STR("tr\xfdP"), 0, "a Tracy trace: tracy-csvexport -u FILE prints it", false},
    {STR("Ftrace!\0"), 0, "uftrace's own data: uftrace dump --chrome -d DIR | fxtop -", false},
    {STR("SIMPLEPERF"), 0, "a recording of simpleperf: report_sample.py reads it", true},
    {STR("SLOW"), 0, "an ART method trace: Perfetto opens it", true},
    {STR("*version"), 0, "an ART method trace: Perfetto opens it", false},
    {STR("JAVA PROFILE 1.0"), 0, "a Java heap dump: no times", false},
    {STR("hdrb"), 0, "an eventlog of GHC: eventlog2html reads it", true},
    {STR("\xd4\xc3\xb2\xa1"), 0, "captured packets (pcap): tshark prints them", false},
    {STR("\xa1\xb2\xc3\xd4"), 0, "captured packets (pcap): tshark prints them", false},
    {STR("\x4d\x3c\xb2\xa1"), 0, "captured packets (pcap): tshark prints them", false},
    {STR("\x0a\x0d\x0d\x0a"), 0, "captured packets (pcapng): tshark prints them", false},
    {STR("SQLite format 3\0"), 0, "an SQLite database: sqlite3 reads it", false},
    {STR("\x37\x7f\x06\x82"), 0,
     "a write-ahead log of SQLite: its database is the file without -wal", false},
    {STR("\x37\x7f\x06\x83"), 0,
     "a write-ahead log of SQLite: its database is the file without -wal", false},
    {STR("\xdc\xdfJSLB\1"), 0,
     "a profile of Firefox in binary slabs (.jslb): profiler.firefox.com reads it; saved as JSON "
     "it "
     "opens",
     false},
    {STR("PAR1"), 0, "a Parquet file: duckdb -csv prints it", true},
    {STR("ARROW1"), 0, "an Arrow file: duckdb -csv prints it", true},
    {STR("\x89HDF"), 0, "an HDF5 file: h5dump prints it", false},
    {STR("%PDF"), 0, "a PDF document", false},
    {STR("\x89PNG"), 0, "a PNG picture", false},
    {STR("OTF2"), 0, "an OTF2 anchor: otf2-print prints it", false},
    {STR("#Paraver"), 0, "a Paraver trace", false},
    {STR("LPKSHHRH"), 0, "a systemd journal: journalctl -o json --file=FILE prints it", false},
    {STR("$date"), 0, "a VCD waveform: GTKWave opens it", false},
    {STR("$timescale"), 0, "a VCD waveform: GTKWave opens it", false},
    {STR("$version"), 0, "a VCD waveform: GTKWave opens it", false},
    {STR("version https://git-lfs"), 0, "a git-lfs pointer, not the trace: git lfs pull", false},
    {STR("# ninja log v"), 0, "a log of ninja: ninjatracing FILE | fxtop -", false},
};

static bool at(struct str s, size_t i, struct str mark) {
    return i + mark.n <= s.n && memcmp(s.s + i, mark.s, mark.n) == 0;
}

/* Whether the first bytes are no text. */
static bool is_binary(struct str s) {
    for (size_t i = 0; i < s.n && i < 64; i++)
        if ((unsigned char)s.s[i] < 9 || (unsigned char)s.s[i] >= 0x80)
            return true;
    return false;
}

/* `go 1.22 trace`, filled up with zeros. */
static bool is_go_trace(struct str s) {
    bool named = at(s, 6, STR(" trace")) || at(s, 7, STR(" trace"));
    return at(s, 0, STR("go 1.")) && named && s.n >= 16 && memchr(s.s, '\0', 16);
}

static uint32_t little(struct str s, size_t i) {
    const unsigned char *p = (const unsigned char *)s.s + i;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A buffer of ETW, whose size is a power of two, with the header of the log as its first event. */
static bool is_etw(struct str s) {
    if (s.n < 76)
        return false;
    uint32_t size = little(s, 0), saved = little(s, 4), current = little(s, 8);
    bool sized = size >= 1024 && size <= 1u << 24 && (size & (size - 1)) == 0;
    bool filled = saved >= 72 && saved <= size && (current <= size || current == UINT32_MAX);
    return sized && filled && (unsigned char)s.s[75] == 0xc0 && (s.s[74] == 1 || s.s[74] == 2);
}

/* The word at 16 of a program is its type: 4 is a core dump. */
static const char *elf(struct str s) {
    if (!at(s, 0,
            STR("\x7f"
                "ELF")))
        return NULL;
    bool core = s.n >= 18 && s.s[s.s[5] == 2 ? 17 : 16] == 4 && s.s[s.s[5] == 2 ? 16 : 17] == 0;
    return core ? "a core dump: a debugger reads it" : "a program: fxtop record FILE traces it";
}

/* Reads a varint. False: it does not end in the bytes. */
static bool varint(struct str s, size_t *i, uint64_t *v) {
    *v = 0;
    for (unsigned shift = 0; *i < s.n && shift < 64; shift += 7) {
        unsigned char c = (unsigned char)s.s[(*i)++];
        *v |= (uint64_t)(c & 127) << shift;
        if (c < 128)
            return true;
    }
    return false;
}

/* Fields of a profile of pprof, 1 to 15, and among them the type of a sample: two numbers. */
static bool is_pprof(struct str s) {
    static const char wires[] = "?222222000020?02"; /* of each field; 13 is packed or not */
    size_t i = 0;
    uint64_t tag, v;
    bool typed = false;
    while (i < s.n) {
        if (!varint(s, &i, &tag))
            return typed;
        if (tag >> 3 == 0 || tag >> 3 > 15)
            return false;
        char wire = (char)('0' + (tag & 7));
        if (wire != wires[tag >> 3] && !(tag >> 3 == 13 && (wire == '0' || wire == '2')))
            return false;
        if (!varint(s, &i, &v))
            return typed && i == s.n;
        if (wire == '2' && v > s.n - i) /* it is longer than the bytes that are known */
            return typed;
        typed = typed || (tag == 0x0a && v == 4 && s.s[i] == 8 && s.s[i + 2] == 0x10);
        i += wire == '2' ? (size_t)v : 0;
    }
    return typed;
}

bool foreign_is_fxt(struct str first) {
    static const unsigned char magic[2][8] = {{0x10, 0, 4, 0x46, 0x78, 0x54, 0x16, 0},
                                              {0, 0x16, 0x54, 0x78, 0x46, 4, 0, 0x10}};
    return first.n >= 8 && (memcmp(first.s, magic[0], 8) == 0 || memcmp(first.s, magic[1], 8) == 0);
}

bool foreign_may_be(struct str first) {
    bool json = first.n > 0 && memchr("{[", first.s[0], 2) != NULL && !at(first, 0, STR("[pid "));
    return first.n > 0 && !foreign_is_fxt(first) && !json;
}

const char *foreign_name(struct str first) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (at(first, table[i].at, table[i].mark) && (!table[i].binary || is_binary(first)))
            return table[i].said;
    if (is_go_trace(first))
        return "a Go execution trace: go tool trace opens it";
    if (is_etw(first))
        return ETW;
    if (is_pprof(first))
        return "a profile of pprof, without times: go tool pprof -traces, or stackcollapse-go.pl, "
               "prints its stacks";
    const char *said = elf(first);
    return said ? said : foreign_text_name(first);
}

static bool is_in(const char *folder, const char *name) {
    char path[4096];
    struct stat status;
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    return n > 0 && (size_t)n < sizeof path && stat(path, &status) == 0;
}

const char *foreign_folder(const char *path) {
    if (is_in(path, "metadata") || is_in(path, "kernel/metadata") || is_in(path, "ust/uid"))
        return "a CTF trace (LTTng, barectf): babeltrace2 DIR prints it";
    if (is_in(path, "info") && is_in(path, "task.txt"))
        return "uftrace's own data: uftrace dump --chrome -d DIR | fxtop -";
    return NULL;
}

/* Names formats without a sure mark. */
static const char *by_suffix(const char *path, struct str first) {
    static const struct {
        const char *suffix, *said;
        struct str begin;
    } suffixes[] = {{".nsys-rep", NSYS, {"", 0}},      {".qdrep", NSYS, {"", 0}},
                    {".qdstrm", NSYS, {"", 0}},        {".etl", ETW, {"", 0}},
                    {".pftrace", PERFETTO, {"\n", 1}}, {".perfetto-trace", PERFETTO, {"\n", 1}}};
    static const char *const packed[] = {"", ".gz", ".zst"};
    struct str name = str_of(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        for (size_t k = 0; k < 3; k++) {
            size_t a = strlen(suffixes[i].suffix), b = strlen(packed[k]);
            if (name.n > a + b && strncasecmp(path + name.n - a - b, suffixes[i].suffix, a) == 0 &&
                strcasecmp(path + name.n - b, packed[k]) == 0 && at(first, 0, suffixes[i].begin))
                return suffixes[i].said;
        }
    return NULL;
}

/* A mark that text may begin with, and no word of a text: nothing has read the source. */
static const char *by_text(struct str first) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t end = table[i].at + table[i].mark.n;
        if (table[i].binary && at(first, table[i].at, table[i].mark) && end < first.n &&
            strchr(" \t\r\n.,:;!?", first.s[end]) == NULL)
            return table[i].said;
    }
    return NULL;
}

bool foreign_refuse(struct str first, const char *path, struct err *err) {
    char bytes[3 * 8 + 4] = "";
    size_t zeros = 0;
    const char *said = first.n > 0 ? foreign_name(first) : "empty";
    while (zeros < first.n && zeros < 512 && first.s[zeros] == 0)
        zeros++;
    if (said == NULL && path)
        said = by_suffix(path, first);
    if (said == NULL)
        said = by_text(first);
    if (said == NULL && (at(first, 0, STR("\xff\xfe")) || at(first, 0, STR("\xfe\xff"))))
        said = FOREIGN_UTF16;
    if (said == NULL && (zeros == 512 || zeros == first.n))
        said = "zeros: not written yet, or a hole";
    if (said)
        return err_set(err, ERR_NO_OFFSET, "%s", said);
    for (size_t i = 0; i < first.n && i < 8; i++)
        snprintf(bytes + 3 * i, 4, " %02x", (unsigned char)first.s[i]);
    return err_set(
        err, ERR_NO_OFFSET,
        "not a trace that fxtop knows (FXT, Perfetto, Chrome JSON, OTLP, Jaeger, "
        "Zipkin, .cpuprofile, speedscope, Firefox, strace, perf script, ftrace, tables, nsys, "
        "collapsed stacks, "
        "first bytes:%s%s); see doc/TRACES.md",
        bytes, first.n > 8 ? " ..." : "");
}
