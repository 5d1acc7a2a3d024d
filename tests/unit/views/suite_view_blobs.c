/* suite_view_blobs.c - blobs as text or bytes, and written to a file byte for byte, never over
 * another one. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/unit/lib/shown.h"
#include "tests/unit/lib/suites.h"
#include "ui/views/view.h"
#include "ui/views/view_blobs.h"

static const char blobs[] = "magic\n"
                            "init 1000000000\n"
                            "blob \"notes\" 1 \"first line\\nsecond \"\n"
                            "blob \"bytes\" 1 fill:300\n"
                            "blob \"notes\" 1 \"line\\n\"\n"
                            "large_event 5 5/6 \"c\" \"shot\" fill:20 x=i32:1\n";

/* Shows the blob of the row with this name. */
static void show(const char *name) {
    shown_keys(":blobs<Enter>g");
    for (int i = 0; i < 5; i++) {
        for (int y = 2; y < shown.grid.rows; y++)
            if (shown_row(y)[0] == '>' && strncmp(shown_row(y) + 1, name, strlen(name)) == 0) {
                shown_keys("<Enter>");
                ck_assert_ptr_eq(shown.views.current->ops, &view_blob);
                return;
            }
        shown_keys("j");
    }
    ck_abort_msg("no blob %s", name);
}

START_TEST(chunks_of_one_name_are_one_blob) {
    shown_text(blobs, 100, 30);
    shown_keys(":blobs<Enter>");
    ck_assert(shown_has("Blobs  3"));
    show("notes");
    int y = shown_find("first line");
    ck_assert_int_gt(y, 0);
    ck_assert_ptr_nonnull(strstr(shown_row(y + 1), "second line"));
    shown_close();
}
END_TEST

START_TEST(what_is_no_text_is_shown_as_bytes) {
    shown_text(blobs, 100, 40);
    show("bytes");
    ck_assert(shown_has("00000000  00 01 02 03 04 05 06 07  08"));
    ck_assert(shown_has("00000120  20 21 22 23 24 25 26 27  28 29 2a 2b"));
    shown_close();
}
END_TEST

START_TEST(a_file_gets_all_bytes_and_is_not_overwritten) {
    char folder[SCRATCH_PATH], path[SCRATCH_PATH + 8];
    unsigned char v[400];
    ck_assert(scratch_folder(folder, "blobs"));
    snprintf(path, sizeof path, "%s/blob", folder);
    shown_text(blobs, 100, 30);
    show("bytes");
    view_blobs_write(&shown, path);
    ck_assert_msg(!shown.message.is_error, "%s", shown.message.text);
    for (int again = 0; again < 2; again++) {
        FILE *f = fopen(path, "rb");
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fread(v, 1, sizeof v, f), again ? 23 : 300);
        for (int i = 0; i < 300 && !again; i++)
            ck_assert_int_eq(v[i], i % 256);
        ck_assert_int_eq(fclose(f), 0);
        ck_assert(!again || memcmp(v, "first line\nsecond line\n", 23) == 0);
        show("notes");
        view_blobs_write(&shown, path);
        ck_assert(shown.message.is_error);
        ck_assert_ptr_nonnull(strstr(shown.message.text, "exists"));
        if (!again)
            view_blobs_write_over(&shown, path);
    }
    unlink(path);
    view_blobs_write(&shown, "/no such folder/blob");
    ck_assert(shown.message.is_error);
    rmdir(folder);
    shown_close();
}
END_TEST

START_TEST(without_a_blob_nothing_is_written) {
    shown_text(blobs, 100, 30);
    view_blobs_write(&shown, "/no such folder/blob");
    ck_assert(shown.message.is_error);
    ck_assert_ptr_nonnull(strstr(shown.message.text, "no blob selected"));
    shown_close();
}
END_TEST

START_TEST(enter_in_a_large_event_goes_to_its_time) {
    shown_text(blobs, 100, 30);
    show("shot");
    shown_keys("<Enter>");
    ck_assert_ptr_eq(shown.views.current->ops, &view_timeline);
    ck_assert_int_eq(shown.timeline.selection.time, trace_origin(shown.trace));
    shown_close();
}
END_TEST

SUITE(view_blobs) {
    Suite *s = suite_create("view_blobs");
    TCase *t = tcase_create("blobs");
    tcase_add_test(t, chunks_of_one_name_are_one_blob);
    tcase_add_test(t, what_is_no_text_is_shown_as_bytes);
    tcase_add_test(t, a_file_gets_all_bytes_and_is_not_overwritten);
    tcase_add_test(t, without_a_blob_nothing_is_written);
    tcase_add_test(t, enter_in_a_large_event_goes_to_its_time);
    suite_add_tcase(s, t);
    return s;
}
