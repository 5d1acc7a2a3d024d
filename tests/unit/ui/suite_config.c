/* suite_config.c - keys, looks and settings that users choose, and the file they choose them in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/chance.h"
#include "tests/lib/scratch.h"
#include "tests/unit/lib/libcheck.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/command.h"
#include "ui/config/config.h"
#include "ui/config/key_sets.h"
#include "ui/config/keymap.h"
#include "ui/config/settings.h"

static const char trace[] =
    "magic\ninit 1000000000\nkernel_object 1 7 \"p\"\n"
    "kernel_object 2 8 \"ui\" process=koid:7\nkernel_object 2 9 \"io\" process=koid:7\n"
    "complete 0 7/8 \"c\" \"a\" end=1000\ncomplete 2000 7/8 \"c\" \"b\" end=90000\n"
    "complete 100 7/9 \"c\" \"a\" end=400\n";

static void open_trace(void) {
    shown_text(trace, 100, 24);
}

static void close_trace(void) {
    style_theme(STYLE_AUTO);
    shown_close();
}

START_TEST(sets_name_keys_and_commands_that_exist) {
    for (int i = 0; i < key_set_count; i++) {
        const struct key_set *set = &key_sets[i];
        ck_assert_uint_eq(strlen(set->swaps) % 2, 0);
        for (const char *s = set->swaps; *s; s++)
            ck_assert_ptr_eq(strchr(s + 1, *s), NULL); /* a key changes places once */
        for (const struct key_line *line = set->lines; line && line->keys; line++) {
            const char *keys = line->keys;
            struct key key;
            int n = 0;
            while (key_parse(&keys, &key))
                n++;
            ck_assert_msg(*keys == 0 && (n == 1 || n == 2), "%s: %s", set->name, line->keys);
            ck_assert_msg(command_by_name(line->line, strlen(line->line)) != NULL, "%s: %s",
                          set->name, line->line);
        }
    }
}
END_TEST

/* Keys are added, and none of the manual is lost. */
START_TEST(lines_of_sets_take_no_key_of_the_manual) {
    for (int i = 0; i < key_set_count; i++)
        for (const struct key_line *line = key_sets[i].lines; line && line->keys; line++) {
            const char *keys = line->keys;
            struct key first, second = {0};
            key_parse(&keys, &first);
            bool two = key_parse(&keys, &second);
            uint64_t code = two ? (uint64_t)first.code << 32 | second.code : first.code;
            const struct command *c = command_by_name(line->line, strlen(line->line));
            ck_assert_msg(command_for_key(code, c->modes) == NULL, "%s: %s", key_sets[i].name,
                          line->keys);
        }
}
END_TEST

/* Hints and help name the keys to be typed, on the timeline alone. */
START_TEST(swaps_go_both_ways_and_hold_on_the_timeline) {
    open_trace();
    for (int i = 0; i < key_set_count; i++) {
        ck_assert(keymap_choose(&shown, key_sets[i].name));
        for (uint32_t c = ' '; c < 127; c++) {
            uint32_t stands = keymap_key(&shown.keymap, c, MODE_TIMELINE);
            ck_assert_uint_eq(keymap_key(&shown.keymap, stands, MODE_TIMELINE), c);
            ck_assert_uint_eq(keymap_key(&shown.keymap, c, MODE_TABLE), c);
        }
    }
    shown_keys(":set keys azerty<Enter>");
    ck_assert(shown_has("keys=azerty"));
    int64_t width = shown.timeline.window.width;
    shown_keys("z");
    ck_assert_int_lt(shown.timeline.window.width, width);
    ck_assert(shown_has("z/s zoom  q/d pan"));
    ck_assert(shown_has("a quit"));
    shown_keys("w");
    ck_assert(shown_has("ww middle"));
    shown_keys("<Esc>2");
    ck_assert(shown_has("q quit"));
    shown_keys("q?/zoom in at<Enter>");
    ck_assert_ptr_ne(strstr(shown_page(), "  z +              zoom-in "), NULL);
    ck_assert_ptr_ne(strstr(shown_page(), "  a q              quit "), NULL);
    shown_keys("qq");
    ck_assert(shown.requests.quit == QUIT_NO); /* it pans */
    shown_keys("a");
    ck_assert(shown.requests.quit == QUIT_ASKED);
    close_trace();
}
END_TEST

/* So a command line works for everybody. */
START_TEST(played_keys_are_those_of_the_manual) {
    open_trace();
    shown_keys(":set keys azerty<Enter>:map w page-left<Enter>");
    int64_t width = shown.timeline.window.width;
    shown.startup.playing = true;
    shown_keys("w");
    shown.startup.playing = false;
    ck_assert_int_lt(shown.timeline.window.width, width);
    close_trace();
}
END_TEST

START_TEST(a_mapped_key_runs_its_line_where_its_command_works) {
    open_trace();
    shown_keys(":map <lt>F6> filter io<Enter><F6>");
    ck_assert(shown_has("flt io"));
    shown_keys(":unmap <lt>F6><Enter>:filter<Enter><Enter><F6>");
    ck_assert(!shown_has("flt io"));
    ck_assert(shown_has("unknown key <F6>"));
    shown_keys(":map x page-right<Enter>");
    ck_assert(!shown_has("x others"));
    shown_keys("2");
    ck_assert(shown_has("x only these")); /* page-right is of the timeline */
    shown_keys("q:map <lt>C-x>o drawer<Enter><C-x>");
    ck_assert(shown_has("<C-x>o drawer"));
    shown_keys("o");
    ck_assert(shown.drawer.focus);
    shown_keys("<Tab><C-x>q");
    ck_assert(shown_has("unknown key <C-x>q"));
    ck_assert(shown.requests.quit == QUIT_NO);
    /* of other modes: drawer stays in the drawer, and here comes first */
    shown_keys(":map <lt>C-x>o order<Enter><C-x>o");
    ck_assert(shown_has("tracks sorted by"));
    shown_keys(":map zz fold-all<Enter>:map zz<Enter>");
    ck_assert(shown_has("zz: fold-all"));
    shown_keys("zt"); /* other sequences of the prefix stay */
    ck_assert(!shown_has("unknown key"));
    close_trace();
}
END_TEST

START_TEST(what_cannot_be_set_is_said) {
    static const char *const cases[][2] = {
        {":map <lt>F99> order<Enter>", "not a key, nor two: <F99> order"},
        {":map abc order<Enter>", "not a key, nor two: abc order"},
        {":map x nosuch<Enter>", "no such command: nosuch"},
        {":unmap x<Enter>", "no :map of x"},
        {":set nosuch 1<Enter>", "no such setting: nosuch 1"},
        {":set keys qwertz<Enter>", "keys is default|azerty|dvorak|vi|emacs, not qwertz"},
        {":set mouse maybe<Enter>", "mouse is on|off, not maybe"},
        {":style nosuch 1<Enter>", "no such role: nosuch"},
        {":style title 256<Enter>", "not a colour: 256"},
        {":style title #12345<Enter>", "not a colour: #12345"},
        {":theme ../x<Enter>", "not the name of a theme: ../x"},
        {":theme nosuch<Enter>", "themes/nosuch"},
    };
    open_trace();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shown_keys(cases[i][0]);
        ck_assert_msg(shown_has(cases[i][1]), "%s: %s", cases[i][0], shown.message.text);
    }
    close_trace();
}
END_TEST

START_TEST(tab_completes_settings_and_their_values) {
    open_trace();
    ck_assert_str_eq(settings_complete(&shown, "set k", 0), "set keys");
    ck_assert_str_eq(settings_complete(&shown, "set keys a", 0), "set keys azerty");
    ck_assert_str_eq(settings_complete(&shown, "set theme ", 4), "set theme mono");
    ck_assert_ptr_eq(settings_complete(&shown, "set theme ", 5), NULL); /* NAME is no word */
    ck_assert_ptr_eq(settings_complete(&shown, "set nosuch ", 0), NULL);
    shown_keys(":set li<Tab> sl<Tab><Enter>");
    ck_assert(shown_has("link=slow") && shown.link == LINK_SLOW);
    shown_keys(":set ke<Tab> v<Tab><Enter>");
    ck_assert(shown_has("keys=vi"));
    close_trace();
}
END_TEST

/* ---- the file ---- */

static char folder[SCRATCH_PATH], file[SCRATCH_PATH + 40], theme[SCRATCH_PATH + 40];

static void make_folder(void) {
    char sub[SCRATCH_PATH + 40];
    ck_assert(scratch_folder(folder, "config"));
    snprintf(sub, sizeof sub, "mkdir -p '%s/fxtop/themes'", folder);
    ck_assert_int_eq(system(sub), 0);
    snprintf(file, sizeof file, "%s/fxtop/config", folder);
    snprintf(theme, sizeof theme, "%s/fxtop/themes/warm", folder);
    setenv("XDG_CONFIG_HOME", folder, 1);
}

static void write_file(const char *path, const char *text, size_t n) {
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

static void write_theme(const char *text) {
    write_file(theme, text, strlen(text));
}

static void remove_folder(void) {
    char command[SCRATCH_PATH + 40];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    unsetenv("XDG_CONFIG_HOME");
}

static void take(const char *text) {
    write_file(file, text, strlen(text));
    config_take(&shown, "");
    config_finish(&shown);
    shown_keys("");
    app_draw(&shown);
}

START_TEST(a_configuration_is_commands_that_one_can_type) {
    make_folder();
    write_theme("theme light\nstyle dim 250\n# mine\nstyle slice-1 black on #ffb000\n");
    open_trace();
    style_init(COLOR_256);
    take("# comment\n\n  :set keys vi\nmap <F6> order\r\ntheme warm\nfilter io\nset order name\n");
    ck_assert_str_eq(shown.message.text, "");
    ck_assert_str_eq(keymap_chosen(&shown), "vi");
    ck_assert(shown_has("flt io"));
    ck_assert(shown_has("by name"));
    ck_assert_int_eq(style_look(ROLE_DIM).fg, 250);
    ck_assert_int_eq(style_series(0).bg, 214); /* the nearest of 256 */
    ck_assert(style_light());
    close_trace();
    remove_folder();
}
END_TEST

/* It never stops the start: each line that is right holds. */
START_TEST(a_wrong_line_is_named_and_the_others_hold) {
    make_folder();
    open_trace();
    take("set keys azerty\nquit\nmap <F6> order\n");
    ck_assert_msg(strstr(shown.message.text, "/fxtop/config:2: quit is no command for this file") !=
                      NULL,
                  "%s", shown.message.text);
    ck_assert(shown.requests.quit == QUIT_NO);
    shown_keys("<F6>");
    ck_assert(shown_has("tracks sorted by"));
    take("filter dur>\nfilter ui\nset order nothing\n");
    ck_assert_msg(strstr(shown.message.text, "/fxtop/config:1: ") &&
                      strstr(shown.message.text, "(and 1 more)"),
                  "%s", shown.message.text);
    ck_assert(shown_has("flt ui"));
    write_theme("style title 12\nset keys vi\n");
    take("theme warm\n"); /* a theme changes looks alone */
    ck_assert_msg(strstr(shown.message.text, "themes/warm:2: set is no command") != NULL, "%s",
                  shown.message.text);
    write_theme("theme warm\n");
    take("theme warm\n");
    ck_assert_msg(strstr(shown.message.text, "themes/warm:1: ") != NULL, "%s", shown.message.text);
    take("pipe rm -rf x\nsession off\nw! x\nsql select 1\nquery\nplace in x\n");
    ck_assert_msg(strstr(shown.message.text, "(and 5 more)") != NULL, "%s", shown.message.text);
    close_trace();
    remove_folder();
}
END_TEST

START_TEST(no_file_is_no_fault_and_a_bad_one_is_said) {
    make_folder();
    open_trace();
    config_take(&shown, "");
    ck_assert_str_eq(shown.message.text, "");
    config_take(&shown, "/nonexistent/config");
    ck_assert_ptr_ne(strstr(shown.message.text, "/nonexistent/config: "), NULL);
    shown.message.text[0] = 0;
    write_file(file, "set\0keys", 8);
    config_take(&shown, "");
    ck_assert_ptr_ne(strstr(shown.message.text, "/fxtop/config: "), NULL);
    close_trace();
    remove_folder();
}
END_TEST

/* Random lines of words of a configuration: none may crash, and a message is one line. */
START_TEST(any_text_is_read) {
    static const char *const words[] = {
        "set",     "map",   "unmap",   "theme",   "style", "filter",   "only",    "keys", "azerty",
        "emacs",   "<C-x>", "<Esc>",   "zz",      "title", "on",       "#fff",    "256",  "-1",
        "default", "bold",  "\x1b[2J", "\xff",    "mono",  "slice-10", "slice-0", "dur>", "(",
        ":",       "=",     "order",   "#ffffff", "<",     "a"};
    struct chance chance = {(uint64_t)_i + 1};
    char text[2000];
    size_t n = 0;
    make_folder();
    open_trace();
    while (n < 1800) {
        const char *word = words[chance_star(&chance) % (sizeof words / sizeof *words)];
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", word,
                              chance_star(&chance) % 4 ? " " : "\n");
    }
    write_theme(text + n / 2);
    take(text);
    ck_assert_ptr_eq(strpbrk(shown.message.text, "\n\x1b"), NULL);
    for (int i = 0; i < 40; i++) {
        uint32_t code = ' ' + (uint32_t)(chance_star(&chance) % 95);
        struct key key = {.code = code == 'O' || code == '|' ? KEY_CTRL('x') : code};
        app_key(&shown, &key);
        app_draw(&shown);
    }
    close_trace();
    remove_folder();
}
END_TEST

SUITE(config) {
    Suite *s = suite_create("config");
    TCase *t = tcase_create("config");
    tcase_add_test(t, sets_name_keys_and_commands_that_exist);
    tcase_add_test(t, lines_of_sets_take_no_key_of_the_manual);
    tcase_add_test(t, swaps_go_both_ways_and_hold_on_the_timeline);
    tcase_add_test(t, played_keys_are_those_of_the_manual);
    tcase_add_test(t, a_mapped_key_runs_its_line_where_its_command_works);
    tcase_add_test(t, what_cannot_be_set_is_said);
    tcase_add_test(t, tab_completes_settings_and_their_values);
    tcase_add_test(t, a_configuration_is_commands_that_one_can_type);
    tcase_add_test(t, a_wrong_line_is_named_and_the_others_hold);
    tcase_add_test(t, no_file_is_no_fault_and_a_bad_one_is_said);
    tcase_add_loop_test(t, any_text_is_read, 0, 100);
    suite_add_tcase(s, t);
    return s;
}
