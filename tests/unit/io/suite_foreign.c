/* suite_foreign.c - files of other formats are named by their first bytes, and text of a trace is none of them. */
#include "src/io/foreign.h"

#include <string.h>

#include "tests/lib/must.h"
#include "tests/lib/suites.h"

static const struct {
    struct str first;
    const char *named; /* a part of what is said */
} formats[] = {
    {STR("PK\003\004\024\0\0\0\010\0"), "zip archive"},
    {STR("\xfd\x37zXZ\0\0\4"), "xz"},
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
    {STR("desc: --massif-out-file=x\ncmd: ./a\ntime_unit: i\n"), "massif"},
    {STR("# callgrind format\nversion: 1\n"), "callgrind"},
    {STR("hdrbhetb\0\0"), "GHC"},
    {STR("<!DOCTYPE html>\n"), "web page"},
    {STR("\x7f" "ELF\2\1\1"), "program"},
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
    {STR("swapper     0 [000]  1234.567890: cycles: \n"), "perf script"},
};

START_TEST(each_format_is_named) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const char *said = foreign_name(formats[i].first);
        MUST((said == NULL) == (formats[i].named == NULL), i);
        MUST(said == NULL || (strstr(said, formats[i].named) && strlen(said) < 90), i);
        MUST(said == NULL || strchr("{[ \t\r", formats[i].first.s[0]) == NULL, i);
    }
    char tar[512] = "name";
    memcpy(tar + 257, "ustar", 5);
    ck_assert_ptr_nonnull(strstr(foreign_name((struct str){tar, sizeof tar}), "tar archive"));
}
END_TEST

/* A stack may begin with any word, and a trace with its magic, or as JSON. */
START_TEST(a_trace_is_not_foreign) {
    static const struct str texts[] = {
        STR("main;run 10\n"),  STR("BZhang;work 4\n"),  STR("SLOW;path 1\n"),      STR("PAR1;x 2\n"),
        STR("hdrb;y 3\n"),     STR("Nettrace;z 1\n"),   STR("ARROW1;a;b 7\n"),     STR("SIMPLEPERF;q 1\n"),
        STR("perf 12\n"),      STR("go;runtime.gc 5\n"), STR("PK;sign;verify 9\n"), STR(""),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        MUST(foreign_name(texts[i]) == NULL, i);
    ck_assert(!foreign_may_be(STR("\x10\0\4\x46\x78\x54\x16\0")));
    ck_assert(!foreign_may_be(STR("\0\x16\x54\x78\x46\4\0\x10")));
    ck_assert(!foreign_may_be(STR("{\"traceEvents\"")));
}
END_TEST

Suite *suite_foreign(void) {
    Suite *s = suite_create("foreign");
    TCase *t = tcase_create("foreign");
    tcase_add_test(t, each_format_is_named);
    tcase_add_test(t, a_trace_is_not_foreign);
    suite_add_tcase(s, t);
    return s;
}
