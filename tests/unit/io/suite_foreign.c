/* suite_foreign.c - files of other formats are named by their first bytes, and text of a trace is
 * none of them. */
#include "src/io/foreign/foreign.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/io/file.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

static const struct {
    struct str first;
    const char *named; /* a part of what is said */
} formats[] = {
    {STR("PK\003\004\024\0\0\0\010\0"), "zip archive"},
    {STR("\xfd\x37zXZ\0\0\4"), "xz"},
    {STR("\x1f\x8b\x08\0\xca\xf1\x0c\x6b"), "twice"},
    {STR("\x28\xb5\x2f\xfd\x64\x45"), "twice"},
    {STR("BZh91AY&SY\xa3\x12"), "bzip2"},
    {STR("\x04\x22\x4d\x18\x64\x40"), "lz4"},
    {STR("\x5d\0\0\x80\0\xff"), "lzma"},
    {STR("7z\xbc\xaf\x27\x1c\0\4"), "7z"},
    {STR("PERFILE2\x68\0\0\0"), "perf.data"},
    {STR("\x17\x08\x44tracing6\0"), "trace-cmd"},
    {STR("\xc1\x1f\xfc\xc1\0\0"), "CTF stream"},
    {STR("/* CTF 1.8 */\n"), "CTF metadata"},
    {STR("FLR\0\0\2\0\1"), "Java Flight Recorder"},
    {STR("Nettrace\x14\0\0\0!FastSerialization.1"), ".NET"},
    {STR("go 1.22 trace\0\0\0"), "Go execution trace"},
    {STR("ElfFile\0\0\0"), "Windows event log"},
    {STR("tlZ\4\0\0"), "Tracy"},
    {STR("tr\xfdP\1\1"), "Tracy"},
    {STR("Ftrace!\0\4\0"), "uftrace"},
    {STR("SIMPLEPERF\0\0"), "simpleperf"},
    {STR("SLOW\3\0\x20\0"), "ART"},
    {STR("*version\n3\n"), "ART"},
    {STR("JAVA PROFILE 1.0.2\0"), "heap dump"},
    {STR("2ELIFREP\0\0\0\x68"), "perf.data"},
    {STR("\xc1\xfc\x1f\xc1\0\0"), "CTF stream"},
    {STR("\x75\xd1\x1d\x57\0\0"), "CTF metadata"},
    {STR("\x57\x1d\xd1\x75\0\0"), "CTF metadata"},
    {STR("tZst\1\0"), "Tracy"},
    {STR("\xdc\xdfJSLB\1\0\1\0\0\0"), "Firefox in binary slabs"},
    {STR("$timescale 1 ns $end\n"), "VCD"},
    {STR("$version x $end\n"), "VCD"},
    {STR("\xa1\xb2\xc3\xd4\0\2"), "pcap"},
    {STR("\x4d\x3c\xb2\xa1\2\0"), "pcap"},
    {STR("desc: --massif-out-file=x\ncmd: ./a\ntime_unit: i\n"), "massif"},
    {STR("# callgrind format\nversion: 1\n"), "callgrind"},
    {STR("version: 1\npid: 7\nevents: Ir\n"), "callgrind"},
    {STR("hdrbhetb\0\0"), "GHC"},
    {STR("<!DOCTYPE html>\n"), "error page"},
    {STR("\xef\xbb\xbf \n<HTML lang=en>\n"), "error page"},
    {STR("<!doctype html><html><script>window.__perfetto={}"), "ask for the trace"},
    {STR("<html><script class=\"trace-data\" type=\"application/text\">\n"),
     "sed -n '/trace-data/,/<\\/script>/p'"},
    {STR("\x7f"
         "ELF\2\1\1"),
     "program"},
    {STR("\x7f"
         "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0"),
     "program"},
    {STR("\x7f"
         "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0\x3e\0"),
     "core dump"},
    {STR("\x7f"
         "ELF\1\2\1\0\0\0\0\0\0\0\0\0\0\4\0\x14"),
     "core dump"},
    {STR("\x0a\x04\x08\1\x10\2\x12\6\x0a\1\1\x12\1\5"), "pprof"},
    {STR("\x48\x80\x80\x90\x80\x80\x80\x90\xd0\x16\x50\x80\x94\xeb\xdc\3\x0a\4\x08\1\x10\2\x12\x7f"
         "\x0a"),
     "pprof"},
    {STR("\x0a\x04\x50\1\x40\1\x0a\3\x50\1\x40"), NULL}, /* Perfetto */
    {STR("     0.012 ( 0.005 ms): ls/12 openat(dfd: CWD, flags: CLOEXEC) = 3\n"), "perf trace"},
    {STR("         ? (         ): ls/12  ... [continued]: execve()) = 0\n     0.1 ( 0.005 ms): "
         "brk() = 0\n"),
     "perf trace"},
    {STR("a.out\n% time     seconds  usecs/call     calls    errors syscall\n"), "strace -c"},
    {STR("execve(\"/bin/ls\", [\"ls\"], 0x7ffe /* 20 vars */) = 0\nbrk(NULL)      = 0x55\n"),
     "strace"},
    {STR("12:00:01 close(3) = 0\n"), NULL}, /* strace with times */
    {STR("12 1700000052.321 close(3) = 0\n--- SIGCHLD {} ---\n+++ exited with 0 +++\n"), NULL},
    {STR("1234 12:00:01.1 close(3) = 0\n1234 12:00:01.2 read(3, \"\", 1) = 0\n"), NULL},
    {STR("[pid 12] close(3) = -1 EBADF (Bad file descriptor)\n[pid    13] wait4(-1,  <unfinished "
         "...>\n"),
     "strace"},
    {STR("12 <... wait4 resumed>NULL, 0) = 13\n12 --- SIGCHLD {si_signo=SIGCHLD} ---\n"), "strace"},
    {STR("main;close(3) = 0\nmain 3\n"), NULL}, /* collapsed stacks */
    {STR("main 3\nclose(3) = 0\nclose() 4\n"), NULL},
    {STR("12 = 0\n(x) = 3\n"), NULL},
    {STR("--- a/file\n+++ b/file\n"), NULL},
    {STR("# To display the perf.data header info, please use\n#\n"), "perf report"},
    {STR("# Overhead  Command  Shared Object\n"), "perf report"},
    {STR("# ========\n# captured on: x\n# ========\n#\n# Overhead^Command\n3.22^a\n"),
     "perf report"},
    {STR("\n Performance counter stats for 'ls':\n"), "perf stat"},
    {STR("# started on Sat\n\n\n Performance counter stats for 'ls':\n"), "perf stat"},
    {STR("# tracer: nop\n#\n"), NULL},
    {STR("  a-1 [000] 1.000001: sched_switch: x\n"), NULL},
    {STR("# tracer: function_graph\n#\n#     TIME        CPU  DURATION\n  1)   1.7 us    |  "
         "foo();\n"),
     "funcgraph-abstime"},
    {STR("# tracer: function_graph\n#\n\n  1.000001 |   1)   1.7 us    |  foo();\n"), NULL},
    {STR("# tracer: function_graph\n#\n"), NULL},
    {STR("\xd4\xc3\xb2\xa1\2\0"), "pcap"},
    {STR("\x0a\x0d\x0d\x0a\x1c\0"), "pcapng"},
    {STR("SQLite format 3\0\x10\0"), "SQLite"},
    {STR("PAR1\x15\4\x15\0"), "Parquet"},
    {STR("ARROW1\0\0\xff"), "Arrow"},
    {STR("\x89HDF\r\n\x1a\n"), "HDF5"},
    {STR("%PDF-1.7\n"), "PDF"},
    {STR("\x89PNG\r\n\x1a\n"), "PNG"},
    {STR("OTF2 "), "OTF2"},
    {STR("#Paraver (01/01/2026"), "Paraver"},
    {STR("LPKSHHRH\0\0"), "systemd journal"},
    {STR("$date\n  today\n$end\n"), "VCD"},
    {STR("version https://git-lfs.github.com/spec/v1\n"), "git-lfs"},
    {STR("# ninja log v5\n"), "ninja"},
    {STR("\n\x0a\x08\x50\1\x18\x05\x40\x09\x3a\x01\x41"), NULL}, /* too short to decide */
    {STR("\x0a\x04\x08\1\x10\2\x82\1\1a"), NULL},                /* a field 16 is none of pprof */
};

START_TEST(each_format_is_named) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const char *said = foreign_name(formats[i].first);
        MUST((said == NULL) == (formats[i].named == NULL), i);
        MUST(said == NULL || (strstr(said, formats[i].named) && strlen(said) < 110), i);
        MUST(said == NULL || foreign_may_be(formats[i].first), i);
    }
    char tar[512] = "name";
    memcpy(tar + 257, "ustar", 5);
    ck_assert_ptr_nonnull(strstr(foreign_name((struct str){tar, sizeof tar}), "tar archive"));
}
END_TEST

/* The name of its data, which is the same in gzip. */
static void names(const char *file, struct str bytes, const char *said) {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH + 32];
    struct err err = {.text = ""};
    ck_assert(scratch_folder(folder, "foreign"));
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(bytes.s, 1, bytes.n, f) == bytes.n && fclose(f) == 0);
    struct file *opened = file_open(path, NULL, &err);
    while (opened && !file_ended(opened))
        file_step(opened, 4096, -1);
    ck_assert(opened == NULL || !file_refuse(opened, &err));
    ck_assert_msg(strstr(err.text, said) != NULL, "%s: %s", file, err.text);
    file_close(opened);
    unlink(path);
    rmdir(folder);
}

#define GZIPPED "\x1f\x8b\x08\0\0\0\0\0\2\3"

/* A suffix decides nothing that the content does. */
START_TEST(what_has_no_mark_is_named_last) {
    static const char zeros[512],
        buffer[76] = {[1] = 4, [4] = 72, [8] = 72, [74] = 2, [75] = '\xc0'};
    names("a.nsys-rep", STR("\1\2\3 what Nsight writes"), "nsys export --type sqlite");
    names("a.qdrep", STR("\1\2\3 what Nsight writes"), "nsys export --type sqlite");
    names("a.QDSTRM", STR("\1\2\3 what Nsight writes"), "nsys export --type sqlite");
    names("a.qdrep", STR("PK\003\004\024\0\0\0"), "zip archive");
    names("a.etl", STR("\0\0\1\0\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0"), "ETW");
    names("a.bin", (struct str){buffer, sizeof buffer}, "ETW");
    names("a.bin", (struct str){zeros, sizeof zeros}, "zeros: not written yet, or a hole");
    names("a.bin", STR("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "zeros: not written yet, or a hole");
    names("a.txt",
          STR("\xff\xfem\0a\0i\0n\0 \0"
              "1\0"),
          "iconv -f UTF-16 -t UTF-8");
    names("a.txt",
          STR("\xfe\xff\0m\0a\0i\0n\0 \0"
              "1"),
          "iconv -f UTF-16 -t UTF-8");
    names("a.txt", STR(""), "empty file");
    names("a.txt", STR("{ x: 1 }"),
          "(FXT, Perfetto, Chrome JSON, OTLP, Jaeger, Zipkin, .cpuprofile, speedscope, Firefox, "
          "strace, perf "
          "script, "
          "ftrace, tables, nsys, collapsed stacks, "
          "first bytes: 7b 20 78 "
          "3a 20 31 20 "
          "7d); see "
          "doc/TRACES.md");
    names("a.pftrace", STR("\n\x03\x0b\x01"), "a damaged Perfetto trace");
    names("a.txt", STR("{ x: 12 }"), "7b 20 78 3a 20 31 32 20 ...)");
    names("a.gz", STR(GZIPPED "\1\x0e\0\xf1\xff\x0a\4\x08\1\x10\2\x12\6\x0a\1\1\x12\1\5"), "pprof");
}
END_TEST

START_TEST(folders_are_named) {
    static const struct {
        const char *files[2], *said;
    } folders[] = {{{"metadata", NULL}, "babeltrace2"},
                   {{"info", "task.txt"}, "uftrace dump --chrome"},
                   {{"info", NULL}, NULL},
                   {{NULL, NULL}, NULL}};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char folder[SCRATCH_PATH], path[2][SCRATCH_PATH + 32];
        struct err err;
        ck_assert(scratch_folder(folder, "foreign"));
        for (int k = 0; k < 2 && folders[i].files[k]; k++) {
            snprintf(path[k], sizeof path[k], "%s/%s", folder, folders[i].files[k]);
            fclose(fopen(path[k], "w"));
        }
        ck_assert(file_open(folder, NULL, &err) == NULL);
        ck_assert_msg(strstr(err.text, folders[i].said ? folders[i].said : "is a directory"), "%s",
                      err.text);
        for (int k = 0; k < 2 && folders[i].files[k]; k++)
            unlink(path[k]);
        rmdir(folder);
    }
}
END_TEST

#define PAGE 512

/* Puts an entry of the schema at the end of what is free in a leaf. */
static void entry(unsigned char *page, size_t tree, const char *type, const char *name) {
    size_t n = 4 + strlen(type) + strlen(name), cells = page[tree + 4];
    size_t at = ((size_t)page[tree + 5] << 8 | page[tree + 6]) - n - 2;
    page[tree] = 13;
    page[tree + 4] = (unsigned char)(cells + 1);
    page[tree + 5] = page[tree + 8 + 2 * cells] = (unsigned char)(at >> 8);
    page[tree + 6] = page[tree + 9 + 2 * cells] = (unsigned char)at;
    snprintf((char *)page + at, n + 2, "%c%c%c%c%c", (int)n, (int)cells + 1, 3,
             (int)(13 + 2 * strlen(type)), (int)(13 + 2 * strlen(name)));
    memcpy(page + at + 5, type, strlen(type));
    memcpy(page + at + 5 + strlen(type), name, strlen(name));
}

static void start(unsigned char *page, size_t tree) {
    page[tree + 5] = PAGE >> 8;
    page[tree + 6] = 0;
}

START_TEST(tables_of_a_database_are_named) {
    unsigned char pages[2 * PAGE] = "SQLite format 3";
    struct str both = {(const char *)pages, sizeof pages}, first = {both.s, PAGE};
    pages[16] = PAGE >> 8;
    names("a.db", first, "an SQLite database: sqlite3 reads it");
    start(pages, 100);
    entry(pages, 100, "table", "ev");
    entry(pages, 100, "index", "by_time");
    entry(pages, 100, "table", "sqlite_sequence");
    entry(pages, 100, "table", "a\nb");
    names("a.db", first, "an SQLite database with tables ev, a^Jb: sqlite3 -header -csv FILE");
    memset(pages + 100, 0, PAGE - 100); /* page 2 below the first one */
    pages[100] = 5;
    pages[111] = 2;
    start(pages + PAGE, 0);
    for (int i = 0; i < 16; i++)
        entry(pages + PAGE, 0, "table", "of_length_12");
    names("a.db", both, "with tables of_length_12, of_length_12, ");
    names("a.db", both, ", ...: sqlite3");
    for (size_t i = 0; i < sizeof pages; i++) { /* no damage leads out of a page */
        char said[FOREIGN_TABLES];
        unsigned char was = pages[i];
        pages[i] = (unsigned char)(i * 37 + 128);
        bool nsys;
        MUST(!foreign_tables(both, -1, said, &nsys) || strlen(said) < sizeof said, (long long)i);
        pages[i] = was;
    }
}
END_TEST

/* A mark of letters counts in a source that nothing has read, unless it is a word of a text. */
START_TEST(letters_are_a_mark_at_last) {
    static const struct {
        struct str first;
        const char *said;
    } sources[] = {
        {STR("BZh91AY&SYabcdef"), "bzip2"},  {STR("SIMPLEPERFabcdef"), "simpleperf"},
        {STR("PAR1abcdefgh"), "Parquet"},    {STR("SLOW queries\n"), "not a trace"},
        {STR("SLOW;path\n"), "not a trace"}, {STR("PAR1"), "not a trace"},
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct err err = {0};
        foreign_refuse(sources[i].first, NULL, &err);
        ck_assert_msg(strstr(err.text, sources[i].said) != NULL, "%s", err.text);
    }
}
END_TEST

/* A stack may begin with any word, and a trace with its magic, or as JSON. */
START_TEST(a_trace_is_not_foreign) {
    static const struct str texts[] = {
        STR("main;run 10\n"),     STR("BZhang;work 4\n"),    STR("SLOW;path 1\n"),
        STR("PAR1;x 2\n"),        STR("hdrb;y 3\n"),         STR("Nettrace;z 1\n"),
        STR("ARROW1;a;b 7\n"),    STR("SIMPLEPERF;q 1\n"),   STR("perf 12\n"),
        STR("go;runtime.gc 5\n"), STR("PK;sign;verify 9\n"), STR(""),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        MUST(foreign_name(texts[i]) == NULL, i);
    ck_assert(!foreign_may_be(STR("\x10\0\4\x46\x78\x54\x16\0")));
    ck_assert(!foreign_may_be(STR("\0\x16\x54\x78\x46\4\0\x10")));
    ck_assert(!foreign_may_be(STR("{\"traceEvents\"")));
}
END_TEST

SUITE(foreign) {
    Suite *s = suite_create("foreign");
    TCase *t = tcase_create("foreign");
    tcase_add_test(t, each_format_is_named);
    tcase_add_test(t, what_has_no_mark_is_named_last);
    tcase_add_test(t, letters_are_a_mark_at_last);
    tcase_add_test(t, folders_are_named);
    tcase_add_test(t, tables_of_a_database_are_named);
    tcase_add_test(t, a_trace_is_not_foreign);
    suite_add_tcase(s, t);
    return s;
}
