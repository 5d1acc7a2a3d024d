/* term_programs.c - other programs on the terminal: commands after |, an editor, none for --keys
 * and --print, a shell.
 *
 * The program has the terminal with a shell's modes. Afterwards the whole screen is drawn again,
 * with a message how the program ended. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/scratch.h"
#include "tests/system/term.h"

static void is_left(const char *what) {
    check(!pty.alternate && pty.cursor && !pty.mouse && !pty.paste, what,
          "the program has not the shell's terminal");
}

/* Types, and waits until a text is written again: the shell's screen still shows the output of
 * earlier commands. */
static void type_until(const char *what, const char *keys, const char *text) {
    char why[100];
    snprintf(why, sizeof why, "'%s' is not written", text);
    pty_forget(&pty);
    pty_type(&pty, keys);
    check(pty_wrote(&pty, text), what, why);
}

/* After the keys a line asks for Enter; after Enter the whole screen is there, with a message. */
static void comes_back(const char *what, const char *keys, const char *message) {
    type_until(what, keys, "fxtop: press Enter");
    is_left(what);
    pty_type(&pty, "\r");
    see(what, message);
    must_fill(what);
    check(pty.alternate && pty.mouse && pty.paste, what, "the screen was not taken again");
}

/* | runs a command on the text of y; the terminal is the command's meanwhile, with its keys. */
void piping(void) {
    start("|");
    pty_type(&pty, "ll");
    see("|", "vsync  category ui  app 100");
    comes_back("|", "|cat >piped; stty -a </dev/tty >modes\r", "piped to cat >piped");
    check(system("grep -q 'vsync  category ui' piped && grep -qE '(^| )icanon .*echo ' modes") == 0,
          "|", "not the text of y, or not the modes of a shell");
    comes_back("its status", "|printf 'a line'; exit 3\r", "ended with status 3");
    type_until("Ctrl-C for a command", "|printf 'be%s' gun; exec sleep 100\r", "begun");
    comes_back("Ctrl-C for a command", "\003", "ended by signal 2");
    type_until("another size", "|printf 'si%s' zed; read x </dev/tty\r", "sized");
    pty_resize(&pty, 90, 28);
    comes_back("another size", "x\r", "piped to printf");
    type_until("| in a table", "2|cut -f1 >piped\r", "fxtop: press Enter");
    pty_type(&pty, "\r");
    see("| in a table", "piped to cut");
    check(system("grep -q '^Frame' piped") == 0, "| in a table", "not the row");
    pty_type(&pty, "Q");
    left("|", 0);
}

/* O runs the editor, with its words, on a file that exists; it has the keyboard. */
void editing(void) {
    append("place.fxt",
           "magic\ninit 1000000000\ncomplete 1000 7/8 \"c\" \"drawn\" file=\"small.fxt\" "
           "line=u32:12 end=2000\n",
           true);
    FILE *f = fopen("editor", "w");
    fputs("printf '%s.' \"$@\" >edited; echo editing; read line; echo \"$line\" >>edited; exit "
          "${line#s}\n",
          f);
    fclose(f);
    start_as("O", 100, 30, "VISUAL='sh ./editor  -x' exec %s place.fxt");
    pty_type(&pty, "ll");
    see("O", "drawn  category c");
    type_until("O", "O", "editing");
    is_left("O");
    pty_type(&pty, "s0\r");
    see("O", "back from sh");
    must_fill("O");
    char line[SCRATCH_PATH + 100];
    snprintf(line, sizeof line, "test \"$(cat edited)\" = \"-x.+12.$(realpath small.fxt).s0\"");
    check(system(line) == 0, "O", "the editor got other arguments");
    type_until("O", "O", "editing");
    comes_back("O", "s1\r", "ended with status 1: sh");
    pty_type(&pty, "Q");
    left("O", 0);
    start_as("no editor", 100, 30, "VISUAL=/none/ed exec %s place.fxt");
    pty_type(&pty, "llO");
    see("no editor", "cannot run /none/ed: No such file");
    must_fill("no editor");
    pty_type(&pty, "Q");
    left("no editor", 0);
}

/* Keys of --keys run nothing, on the screen or without it, unless they may. */
void not_played(void) {
    start_as("| in --keys", 100, 30, "exec %s --no-session --keys='|touch made<Enter>' small.fxt");
    see("| in --keys", "--keys-may-write");
    pty_type(&pty, "Q");
    left("| in --keys", 0);
    open_as(100, 30, PTY_PLAIN, "exec %s --print=80x24 --keys='|touch made<Enter>' small.fxt");
    see("| in --print", "--keys-may-write");
    left("| in --print", 0);
    check(access("made", F_OK) != 0, "--keys", "a command was run");
    open_as(100, 30, PTY_PLAIN,
            "exec %s --no-session --keys-may-write --keys='|touch made<Enter>|echo twice<Enter>' "
            "small.fxt");
    see("--keys-may-write", "press Enter to go on");
    pty_type(&pty, "\r");
    see("--keys-may-write", "twice");
    pty_type(&pty, "\r");
    see("--keys-may-write", "piped to echo twice");
    pty_type(&pty, "Q");
    left("--keys-may-write", 0);
    check(unlink("made") == 0, "--keys-may-write", "no command was run");
}

/* Whether a session is being written: until it is complete the file has another name. */
static bool writes_session(const char *state) {
    char path[100];
    bool found = false;
    snprintf(path, sizeof path, "%s/fxtop", state);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && !found && (entry = readdir(folder)) != NULL;)
        found = strstr(entry->d_name, ".session.") != NULL;
    if (folder)
        closedir(folder);
    return found;
}

#define HANG_UPS 4

/* A shell that ends with its terminal signals its programs last. Until then fxtop has seen the end
 * of it, and is keeping the session. */
void told_late(void) {
    char command[100], state[20];
    for (int i = 0; i < HANG_UPS; i++) {
        int status = -1;
        snprintf(state, sizeof state, "late%d", i);
        snprintf(command, sizeof command, "XDG_STATE_HOME=$PWD/%s exec %%s small.fxt", state);
        open_as(100, 30, PTY_NO_CONTROL, command); /* the kernel sends no signal */
        see_trace("told late");
        pty_type(&pty, "ll");
        see("told late", "vsync  category ui  app 100");
        pty_hang_up(&pty);
        while (!writes_session(state) && status < 0)
            status = pty_ended(&pty, 0);
        if (status < 0) {
            pty_signal(&pty, SIGHUP);
            status = pty_ended(&pty, PTY_PATIENCE_MS);
        }
        check(status == 129, "told late", "not status 129");
        pty_close(&pty);
        start_as("told late, again", 100, 30, command);
        see("told late, again", "session");
        pty_type(&pty, "Q");
        left("told late, again", 0);
    }
}
