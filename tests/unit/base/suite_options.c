/* suite_options.c - command lines: right ones, and what is said to wrong ones. */
#include <stdio.h>
#include <string.h>

#include "app/options.h"
#include "src/base/err.h"
#include "tests/unit/lib/suites.h"

/* The program's name, then args up to a NULL or all four. */
static bool parse(struct options *o, const char *const args[4], struct err *err) {
    static char copies[4][32];
    static char name[] = "fxtop";
    char *argv[6] = {name};
    int argc = 1;
    for (; argc < 5 && args[argc - 1]; argc++) {
        argv[argc] = copies[argc - 1];
        ck_assert_int_lt(snprintf(argv[argc], sizeof copies[0], "%s", args[argc - 1]),
                         sizeof copies[0]);
    }
    return options_parse(o, argc, argv, false, err);
}

static const struct {
    const char *args[4], *says;
} wrong[] = {
    {{"--s", "a"}, "ambiguous option: --s (try --help)"},
    {{"--zzz", "a"}, "unknown option: --zzz (try --help)"},
    {{"-z", "a"}, "unknown option: -z (try --help)"},
    {{"--summary=x", "a"}, "--summary=x: this option takes no value (try --help)"},
    {{"--s=x", "a"}, "ambiguous option: --s=x (try --help)"},
    {{"--print", "80x24", "a"}, "expected a size after '=', e.g. --print=80x24"},
    {{"a", "--print", "80x24"}, "expected a size after '=', e.g. --print=80x24"},
    {{"--ascii", "a", "b"}, NULL},
    {{"--align=wall", "a"}, "--align is of several FILEs as one trace: --together"},
    {{"top"}, "top expects FILE...: no trace given (try fxtop top --help)"},
    {{"query"}, "query expects SQL FILE... (try fxtop query --help)"},
    {{"query", "q"}, "query expects SQL FILE...: no trace given (try fxtop query --help)"},
    {{"export", "xml", "a"},
     "--export expects ndjson, json, csv, folded, fxt or sqlite, not 'xml'"},
    {{"help", "tpo"}, "there is no verb 'tpo' (try --help)"},
    {{"compare", "a"}, "--compare expects two traces, or two lists of runs: A1,A2,.. B1,B2,.."},
    {{"--strict", "a"}, "--strict has no effect with the screen: use --check"},
    {{"--summary", "-n3", "a"}, "--rows has no effect with --summary: use --top or --instances"},
    {{"--top", "--rows=0", "a"}, "--rows expects a number of rows, not '0'"},
    {{"--label=a", "a"}, "--label expects a name and a value like host=a, not 'a'"},
    {{"--cache=some", "a"}, "--cache expects off, read or write, not 'some'"},
    {{"--cache-size=some", "a"}, "--cache-size expects a size like 20g, not 'some'"},
    {{"--at"}, "--at needs a value (try --help)"},
    {{""}, "the name of the trace is empty"},
    {{"--ascii"}, "no trace given (try --help)"},
    {{"--print=80", "a"}, "--print expects WIDTHxHEIGHT, at most 1000x1000, not '80'"},
    {{"--print=0x24", "a"}, "--print expects WIDTHxHEIGHT, at most 1000x1000, not '0x24'"},
    {{"--print=1001x24", "a"}, "--print expects WIDTHxHEIGHT, at most 1000x1000, not '1001x24'"},
    {{"--print=80x24x", "a"}, "--print expects WIDTHxHEIGHT, at most 1000x1000, not '80x24x'"},
    {{"--export=xml", "a"}, "--export expects ndjson, json, csv, folded, fxt or sqlite, not 'xml'"},
    {{"--check=lax", "a"}, "--check expects no value or =strict, not 'lax'"},
    {{"--color=red", "a"}, "--color expects auto, always or never, not 'red'"},
    {{"--color=\033[2J", "a"}, "--color expects auto, always or never, not '^[[2J'"},
    {{"--background=grey", "a"}, "--background expects auto, dark or light, not 'grey'"},
    {{"--background=light", "a"}, NULL},
    {{"--max-inflate=", "a"}, "--max-inflate expects a size like 20g, not ''"},
    {{"--max-inflate=0", "a"}, "--max-inflate expects a size like 20g, not '0'"},
    {{"--max-inflate=2x", "a"}, "--max-inflate expects a size like 20g, not '2x'"},
    {{"--max-inflate=2gb", "a"}, "--max-inflate expects a size like 20g, not '2gb'"},
    {{"--max-inflate=99999999", "a"}, NULL},
    {{"--max-inflate=16777216t", "a"}, "--max-inflate expects a size like 20g, not '16777216t'"},
    {{"--summary", "--check", "a"},
     "only one of --print, --summary, --check, --records, --export, --top, --instances, --compare, "
     "--query, --assert, --describe and --index can be given"},
    {{"--top=0", "a"}, "--top expects a number of rows, not '0'"},
    {{"--top=3x", "a"}, "--top expects a number of rows, not '3x'"},
    {{"--top", "--by=name", "a"},
     "--by expects total, self, count, p99, max, cpu, trace, thread, samples, off-cpu or weight, "
     "not 'name'"},
    {{"--top", "--format=json", "a"},
     "--format expects table, csv, ndjson, markdown, junit, github, text, ansi, svg or html, not "
     "'json'"},
    {{"--top", "--format=junit", "a"}, "--format=junit and github are of --assert and --check"},
    {{"--check", "--format=csv", "a"}, "--check has the formats table, junit and github"},
    {{"--check", "--format=github", "a"}, NULL},
    {{"--top", "--by=cpu", "--format=csv", "a"}, NULL},
    {{"--instances=a", "--filter=b", "a"},
     "--filter has no effect with --instances: add its terms to --instances"},
    {{"--query-memory=1g", "a"}, NULL},
    {{"--query-memory=1g", "--export=sqlite", "a"}, NULL},
    {{"--query-memory=1g", "--export=csv", "a"}, NULL},
    {{"--query-memory=1g", "--export=ndjson", "a"},
     "--query-memory has no effect with --export=ndjson: use --query"},
    {{"--query-memory=1g", "--top", "a"}, "--query-memory has no effect with --top: use --query"},
    {{"--query=select 1", "--range=0..1s", "a"},
     "--range has no effect with --query: use --export or --top"},
    {{"--assert=1", "--jobs=0", "a"}, "--jobs expects a number from 1 to 64, not '0'"},
    {{"--assert=1", "--jobs=65", "a"}, "--jobs expects a number from 1 to 64, not '65'"},
    {{"--assert=1", "--jobs=64", "a"}, NULL},
    {{"--top", "--jobs", "a"}, NULL},
    {{"--jobs", "a"}, "--jobs has no effect with the screen: it opens one trace"},
    {{"--files-from=a"}, "--files-from has no effect with the screen: it opens one trace"},
    {{"--compare", "--files-from=a"},
     "--compare expects one trace beside --files-from, or runs: A1,A2,.."},
    {{"--assert=1", "--files-from=a"}, NULL},
    {{"--assert=1", "a", "b"}, NULL},
    {{"--compare", "a"}, "--compare expects two traces, or two lists of runs: A1,A2,.. B1,B2,.."},
    {{"--compare", "a", "b"}, NULL},
    {{"--compare", "--threshold=2.5%", "a", "b"}, NULL},
    {{"--compare", "--threshold=x", "a", "b"}, "--threshold expects a percentage like 5%, not 'x'"},
    {{"--compare", "--threshold=0", "a", "b"}, "--threshold expects a percentage like 5%, not '0'"},
    {{"--compare", "--threshold=5%5", "a", "b"},
     "--threshold expects a percentage like 5%, not '5%5'"},
    {{"--query=select 1", "--any", "a"}, "--any has no effect with --query: use --compare"},
    {{"--export=sqlite", "--range=0..1s", "a"},
     "--range has no effect with --export=sqlite: it writes the whole trace"},
    {{"--describe=1s", "--at=2s", "a"}, "--at has no effect with --describe=WHAT: use one of them"},
    {{"--describe", "--at=2s", "a"}, NULL},
    {{"--follow", "--print", "a"},
     "--follow has no effect with --print: it works only on the screen"},
    {{"-Fz", "a"}, "unknown option: -Fz (try --help)"},
    {{"--print=80x0", "a"}, "--print expects WIDTHxHEIGHT, at most 1000x1000, not '80x0'"},
    {{"--print=80:24", "a"}, "--print expects WIDTHxHEIGHT, at most 1000x1000, not '80:24'"},
    {{"--print=80x1001", "a"}, "--print expects WIDTHxHEIGHT, at most 1000x1000, not '80x1001'"},
    {{"--records", "--records", "a"}, NULL},
    {{"--follow=x", "a"}, "--follow=x: this option takes no value (try --help)"},
    {{"--fol=x", "a"}, "--fol=x: this option takes no value (try --help)"},
    {{"--a=x", "a"}, "ambiguous option: --a=x (try --help)"},
    {{"--zzz=x", "a"}, "unknown option: --zzz=x (try --help)"},
};

START_TEST(wrong_options_are_called_what_they_are) {
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct options o;
        struct err err;
        ck_assert(parse(&o, wrong[i].args, &err) == (wrong[i].says == NULL));
        if (wrong[i].says)
            ck_assert_str_eq(err.text, wrong[i].says);
    }
}
END_TEST

START_TEST(what_is_wrong_is_quoted_in_characters_that_can_be_shown) {
    char name[] = "fxtop", summary[] = "--summary", ascii[] = "--ascii",
         bad[] = "--color=\xFF\xE2\x80\xAE\xC3\xA9";
    char *plain[] = {name, summary, bad, NULL}, *said[] = {name, ascii, bad, NULL};
    struct options o;
    struct err err;
    ck_assert(!options_parse(&o, 3, plain, false, &err));
    ck_assert_str_eq(err.text,
                     "--color expects auto, always or never, not '\xEF\xBF\xBD<U+202E>\xC3\xA9'");
    ck_assert(!options_parse(&o, 3, plain, true, &err));
    ck_assert_str_eq(err.text,
                     "--color expects auto, always or never, not '\\xFF\\u{202E}\\u{E9}'");
    ck_assert(!options_parse(&o, 3, said, false, &err));
    ck_assert_str_eq(err.text,
                     "--color expects auto, always or never, not '\\xFF\\u{202E}\\u{E9}'");
}
END_TEST

START_TEST(right_options_are_what_help_says) {
    struct options o;
    struct err err;
    ck_assert(parse(&o, (const char *[4]){"a"}, &err));
    ck_assert_str_eq(o.path, "a");
    ck_assert(o.mode == MODE_SCREEN && o.cols == 100 && o.rows == 30 && o.color == 0 && !o.follow &&
              !o.ascii);
    ck_assert(
        parse(&o, (const char *[4]){"--print=1000x1", "--color=always", "--ascii", "-"}, &err));
    ck_assert(o.mode == MODE_PRINT && o.cols == 1000 && o.rows == 1 && o.color == 1 && o.ascii);
    ck_assert(parse(&o, (const char *[4]){"--print", "--color=never", "--no-mouse", "a"}, &err));
    ck_assert(o.mode == MODE_PRINT && o.cols == 100 && o.rows == 30 && o.color == -1 && o.no_mouse);
    ck_assert(parse(&o, (const char *[4]){"--check=strict", "--stats", "--no-cache", "a"}, &err));
    ck_assert(o.mode == MODE_CHECK && o.strict && o.stats && o.cache == CACHE_OFF);
    ck_assert(parse(&o, (const char *[4]){"--check", "--color=auto", "a"}, &err));
    ck_assert(o.mode == MODE_CHECK && !o.strict && o.color == 0);
    ck_assert(parse(&o, (const char *[4]){"--export=csv", "--keys=jj", "a"}, &err));
    ck_assert(o.mode == MODE_EXPORT && o.format == EXPORT_CSV && strcmp(o.keys, "jj") == 0);
    ck_assert(parse(&o, (const char *[4]){"--print", "--at=1s", "a"}, &err) &&
              strcmp(o.at, "1s") == 0);
    ck_assert(parse(&o, (const char *[4]){"--export=json", "a"}, &err));
    ck_assert(o.mode == MODE_EXPORT && o.format == EXPORT_JSON);
    ck_assert(parse(&o, (const char *[4]){"--records", "a"}, &err) && o.mode == MODE_RECORDS);
    ck_assert(parse(&o, (const char *[4]){"-F", "--window=2ms", "--max-inflate=3K", "a"}, &err));
    ck_assert(o.follow && strcmp(o.window, "2ms") == 0 && o.max_inflate == 3 << 10);
    ck_assert(parse(&o, (const char *[4]){"--max-inflate=2t", "a"}, &err) &&
              o.max_inflate == UINT64_C(2) << 40);
    ck_assert(parse(&o, (const char *[4]){"--list-keys"}, &err) && o.mode == MODE_LIST_KEYS);
}
END_TEST

/* A verb is the option of its name, with its value among the words. */
START_TEST(a_verb_takes_its_arguments_from_the_words) {
    struct options o;
    struct err err;
    ck_assert(parse(&o, (const char *[4]){"top", "a", "-n", "3"}, &err));
    ck_assert(o.mode == MODE_TOP && o.top == 3 && o.npaths == 1 && strcmp(o.path, "a") == 0);
    ck_assert(parse(&o, (const char *[4]){"query", "--format=csv", "q", "a"}, &err));
    ck_assert(o.mode == MODE_QUERY && strcmp(o.query.sql, "q") == 0 && o.npaths == 1);
    ck_assert(parse(&o, (const char *[4]){"export", "csv", "a", "b"}, &err));
    ck_assert(o.mode == MODE_EXPORT && o.format == EXPORT_CSV && o.npaths == 2);
    ck_assert(parse(&o, (const char *[4]){"cut", "0..1s", "a", "-ob"}, &err));
    ck_assert(o.format == EXPORT_FXT && strcmp(o.range, "0..1s") == 0 && strcmp(o.path, "a") == 0);
    ck_assert(parse(&o, (const char *[4]){"assert", "x", "--assert=y", "a"}, &err));
    ck_assert(o.query.nassertions == 2 && strcmp(o.path, "a") == 0);
    ck_assert(parse(&o, (const char *[4]){"describe", "@16", "a"}, &err));
    ck_assert(o.mode == MODE_DESCRIBE && strcmp(o.describe, "@16") == 0 && o.npaths == 1);
    ck_assert(parse(&o, (const char *[4]){"describe", "b", "a"}, &err));
    ck_assert(o.describe == NULL && o.npaths == 2);
    ck_assert(parse(&o, (const char *[4]){"describe", "@16"}, &err) && o.describe == NULL);
    ck_assert(parse(&o, (const char *[4]){"--", "top"}, &err));
    ck_assert(o.mode == MODE_SCREEN && strcmp(o.path, "top") == 0);
    ck_assert(parse(&o, (const char *[4]){"./top"}, &err) && o.mode == MODE_SCREEN);
    ck_assert(parse(&o, (const char *[4]){"top", "--files-from=l"}, &err) && o.npaths == 0);
    ck_assert(parse(&o, (const char *[4]){"top", "--help"}, &err) && o.mode == MODE_HELP);
    ck_assert_str_eq(o.verb->name, "top");
    ck_assert(parse(&o, (const char *[4]){"help", "cut"}, &err) && o.mode == MODE_HELP);
    ck_assert_str_eq(o.verb->name, "cut");
}
END_TEST

/* A time of the screen is a range elsewhere. */
START_TEST(a_time_where_it_has_no_effect_names_the_range) {
    struct options o;
    struct err err;
    ck_assert(!parse(&o, (const char *[4]){"--export=csv", "--at=1s", "a"}, &err));
    ck_assert_str_eq(err.text, "--at has no effect with --export=csv: use --range");
    ck_assert(!parse(&o, (const char *[4]){"--top", "--window=1s", "a"}, &err));
    ck_assert_str_eq(err.text, "--window has no effect with --top: use --range");
    ck_assert(!parse(&o, (const char *[4]){"--check", "--at=1s", "a"}, &err));
    ck_assert_str_eq(err.text, "--at has no effect with --check: use --print");
    ck_assert(!parse(&o, (const char *[4]){"--check", "--filter=a", "a"}, &err));
    ck_assert_str_eq(err.text, "--filter has no effect with --check: use --export or --top");
}
END_TEST

START_TEST(options_are_read_from_their_begin_each_time) {
    struct options o;
    struct err err;
    ck_assert(parse(&o, (const char *[4]){"-hV"}, &err) && o.mode == MODE_HELP);
    ck_assert(parse(&o, (const char *[4]){"-Fh"}, &err) && o.mode == MODE_HELP);
    ck_assert(parse(&o, (const char *[4]){"-hV"}, &err) && o.mode == MODE_HELP);
    ck_assert(parse(&o, (const char *[4]){"a"}, &err) && o.mode == MODE_SCREEN);
}
END_TEST

/* Each option with each mode, in the order of both lists: 1 if it has an effect there, or holds
 * anyway. */
START_TEST(no_option_is_ignored) {
    static const char *const modes[] = {
        "--ascii",       "--print",    "--records", "--export=ndjson", "--export=json",
        "--export=csv",  "--summary",  "--check",   "--export=folded", "--top",
        "--instances=a", "--describe", "--query=a"};
    static const struct {
        const char *option, *taken, *refusal;
    } options[] = {
        {"--keys=j", "1100110000010", "--keys has no effect with %s: use --print or --export=csv"},
        {"--follow", "1000000000000",
         "--follow has no effect with %s: it works only on the screen"},
        {"-F", "1000000000000", "--follow has no effect with %s: it works only on the screen"},
        {"--color=always", "1100000000000", "--color=always has no effect with %s: use --print"},
        {"--color=auto", "1111111111111", NULL},
        {"--color=never", "1111111111111", NULL},
        {"--ascii", "1111111111111", NULL},
        {"--no-mouse", "1111111111111", NULL},
        {"--max-inflate=1g", "1111111111111", NULL},
        {"--no-cache", "1111111111111", NULL},
        {"--stats", "1111111111111", NULL},
        {"--range=0..1s", "1101111011110", "--range has no effect with %s: use --export or --top"},
        {"--tracks=a", "1101111011110", "--tracks has no effect with %s: use --export or --top"},
        {"--by=max", "0000000001000", "--by has no effect with %s: use --top"},
        {"--format=table", "0000000101101",
         "--format has no effect with %s: use --top, --instances or --query"},
        {"--query-memory=1g", "1100110000011", "--query-memory has no effect with %s: use --query"},
        {"--with-trace", "0011011111111",
         "--with-trace has no effect with %s: use --query or --top"},
        {"--label=a=b", "0011011111111", "--label has no effect with %s: use --query or --top"},
        {"--files-from=a", "0111111111111",
         "--files-from has no effect with %s: it opens one trace"},
        {"--jobs", "0111111111111", "--jobs has no effect with %s: it opens one trace"},
        {"--quiet", "0111111111111", "--quiet has no effect with %s: it prints nothing"},
        {"--cache=read", "1111111111111", NULL},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
            struct options o;
            struct err err;
            char wanted[120];
            bool taken = options[i].taken[m] == '1';
            for (int order = 0; order < 2; order++) {
                const char *const args[4] = {order ? modes[m] : options[i].option,
                                             order ? options[i].option : modes[m], "a"};
                ck_assert_msg(parse(&o, args, &err) == taken, "%s %s", options[i].option, modes[m]);
                if (taken)
                    continue;
                char mode[20];
                snprintf(mode, sizeof mode, "%.*s",
                         (int)(m == 10   ? 11
                               : m == 12 ? 7
                                         : 19),
                         modes[m]);
                if (m == 0)
                    snprintf(mode, sizeof mode, "the screen");
                snprintf(wanted, sizeof wanted, options[i].refusal, mode);
                ck_assert_str_eq(err.text, wanted);
            }
        }
    }
}
END_TEST

SUITE(options) {
    Suite *s = suite_create("options");
    TCase *t = tcase_create("options");
    tcase_add_test(t, no_option_is_ignored);
    tcase_add_test(t, a_time_where_it_has_no_effect_names_the_range);
    tcase_add_test(t, wrong_options_are_called_what_they_are);
    tcase_add_test(t, what_is_wrong_is_quoted_in_characters_that_can_be_shown);
    tcase_add_test(t, right_options_are_what_help_says);
    tcase_add_test(t, a_verb_takes_its_arguments_from_the_words);
    tcase_add_test(t, options_are_read_from_their_begin_each_time);
    suite_add_tcase(s, t);
    return s;
}
