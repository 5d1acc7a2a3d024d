/* command.c - dispatch of keys and typed commands, their prompts, and the texts made from the
 * table.
 *
 * A key or a name finds a row of command_table.c. A row with an action runs it; a row with a prompt
 * opens it, and Enter hands the text to the row's run(). ":NAME ARGUMENT" calls run() at once. */
#include "ui/command.h"

#include <string.h>

#include "src/base/text.h"
#include "ui/rows.h"
#include "ui/timeline/move.h"

/* Whether code is one of the blank-separated key names. A sequence such as zz is first << 32 |
 * second. */
static bool has_key(const char *keys, uint64_t code) {
    struct key k;
    while (*keys) {
        uint64_t value = 0;
        while (*keys && *keys != ' ') {
            if (!key_parse(&keys, &k)) {
                value = *keys == '<' ? '<' : 0; /* the key < itself */
                keys++;
                continue;
            }
            value = value << 32 | k.code;
        }
        if (value == code)
            return true;
        while (*keys == ' ')
            keys++;
    }
    return false;
}

static const struct command *find(uint64_t code, unsigned mode) {
    for (size_t i = 0; i < command_count; i++)
        if (commands[i].modes & mode && has_key(commands[i].keys, code))
            return &commands[i];
    return NULL;
}

const struct command *command_for_key(uint64_t code, unsigned mode) {
    return find(code, mode);
}

const struct command *command_for_next(struct app *app, uint32_t prefix, uint32_t key,
                                       unsigned mode) {
    uint32_t ran = app->timeline.ran;
    const struct command *second = ran && !prefix ? find((uint64_t)ran << 32 | key, mode) : NULL;
    const struct command *command = second ? second : find((uint64_t)prefix << 32 | key, mode);
    app->timeline.ran = command && !second && !prefix ? key : 0;
    return command;
}

const struct command *command_by_name(const char *name, size_t n) {
    for (size_t i = 0; i < command_count; i++)
        if (strlen(commands[i].name) == n && memcmp(commands[i].name, name, n) == 0)
            return &commands[i];
    return n == 1 && *name == 'q' ? command_by_name("quit-now", 8) : NULL; /* as in vi */
}

/* ---- running ---- */

static void open_prompt(struct app *app, const struct command *command) {
    const struct command_prompt *prompt = command->prompt;
    const char *initial = prompt->initial ? prompt->initial(app) : "";
    if (initial == NULL)
        return;
    app->prompts.command = command;
    prompt_open(&app->prompts.line, prompt->label, initial, &app->prompts.history[prompt->history]);
}

/* Whether a command works only in other views, which a message then names. The timeline's work in
 * all. */
static bool is_elsewhere(struct app *app, const struct command *command) {
    static const struct {
        unsigned mode;
        const char *place;
    } places[] = {{MODE_DRAWER, "the drawer: Tab goes there"},
                  {MODE_LOG, "the log: 5 lists it"},
                  {MODE_SLICES, "2 Slices"},
                  {MODE_FLAME, "3 Flame and 4 Sandwich"},
                  {MODE_SQL, "the rows of :sql"},
                  {MODE_TABLE, "tables: 5 lists the log, 6 the flows"},
                  {MODE_TEXT, "texts: ? shows help, I information"}};
    if (command->modes & (view_modes(app) | MODE_TIMELINE))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (command->modes & places[i].mode) {
            session_say(app, false, ":%s works in %s", command->name, places[i].place);
            return true;
        }
    return false;
}

void command_run(struct app *app, const struct command *command) {
    bool moves = command->effects & COMMAND_MOVES;
    if (is_elsewhere(app, command))
        return;
    if (moves && app->timeline.last_command != command)
        move_remember(&app->timeline);
    app->timeline.last_command = moves ? command : NULL;
    if (!(command->effects & COMMAND_FITS))
        app->timeline.fit = FIT_CENTERS;
    if (view_is(&app->views, MODE_TIMELINE) && !(command->effects & COMMAND_KEEPS_PROBLEM))
        app->find.problem_tag = 0;
    if (command->action)
        command->action(app);
    else if (command->prompt)
        open_prompt(app, command);
    else
        session_say(app, true, "missing argument: :%s %s", command->name, command->argument);
}

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " ");
}

void command_line(struct app *app, const char *text) {
    app->timeline.ran = 0;
    text = skip_blanks(text);
    size_t n = strcspn(text, " ");
    const char *argument = skip_blanks(text + n);
    if (n == 0)
        return;
    if (rows_typed(text)) {
        rows_go(app, text);
        return;
    }
    const struct command *c = command_by_name(text, n);
    char safe[60];
    text_plain(safe, sizeof safe, str_of(c ? argument : text), app->grid.ascii ? TEXT_ASCII : 0);
    if (c == NULL)
        session_say(app, true, "no such command: %s (Tab completes, ? lists them)", safe);
    else if (*argument == 0)
        command_run(app, c);
    else if (c->run == NULL)
        session_say(app, true, "unexpected argument: %s (:%s takes none)", safe, c->name);
    else if (!is_elsewhere(app, c))
        c->run(app, argument);
}

/* ---- prompts ---- */

/* The n-th literal word of an argument such as "fit|zero|log|LO..HI" that begins with stem, into
 * word. */
static bool literal(const char *argument, const char *stem, size_t n, char *word, size_t cap) {
    size_t size = strlen(stem);
    for (const char *end; argument && *argument; argument = *end ? end + 1 : end) {
        end = argument + strcspn(argument, "|");
        size_t length = (size_t)(end - argument);
        if (*argument < 'a' || *argument > 'z' || length < size || length >= cap ||
            memcmp(argument, stem, size) != 0)
            continue;
        if (n-- == 0) {
            memcpy(word, argument, length);
            word[length] = 0;
            return true;
        }
    }
    return false;
}

#define RANKS 6
#define HELP_LEAST 3 /* characters of a stem that is sought in the help */

/* How well a command fits: 0 best; RANKS: not at all. Commands of the mode go first. */
static int rank_of(const struct command *c, const char *stem, unsigned modes) {
    const char *at = strstr(c->name, stem);
    bool here = c->modes & modes;
    if (strcmp(c->name, stem) == 0)
        return 0;
    if (*stem == 0) /* commands without a key can be run in no other way */
        return here ? 1 + (*c->keys != 0) : 3;
    if (at)
        return (at == c->name ? 1 : 3) + !here;
    return strlen(stem) >= HELP_LEAST && strstr(c->help, stem) ? 5 : RANKS;
}

/* The number of the n-th best command; -1: there are fewer. */
static int nth_command(const char *stem, unsigned modes, size_t n) {
    size_t of_rank[RANKS + 1] = {0};
    int rank = 0;
    for (size_t i = 0; i < command_count; i++)
        of_rank[rank_of(&commands[i], stem, modes)]++;
    for (; rank < RANKS && n >= of_rank[rank]; rank++)
        n -= of_rank[rank];
    for (size_t i = 0; rank < RANKS && i < command_count; i++)
        if (rank_of(&commands[i], stem, modes) == rank && n-- == 0)
            return (int)i;
    return -1;
}

const struct command *command_candidate(const char *stem, unsigned modes, size_t n,
                                        char buf[COMMAND_COMPLETION]) {
    size_t size = strlen(stem), name = strcspn(stem, " ");
    if (name < size) {
        const struct command *c = command_by_name(stem, name);
        char word[32];
        if (c == NULL || !literal(c->argument, skip_blanks(stem + name), n, word, sizeof word))
            return NULL;
        snprintf(buf, COMMAND_COMPLETION, "%s %s", c->name, word);
        return c;
    }
    int at = nth_command(stem, modes, n);
    if (at < 0)
        return NULL;
    snprintf(buf, COMMAND_COMPLETION, "%s", commands[at].name);
    return &commands[at];
}

size_t command_candidates(const char *stem, unsigned modes) {
    size_t name = strcspn(stem, " "), n = 0;
    char word[32];
    const struct command *c = stem[name] ? command_by_name(stem, name) : NULL;
    while (c && literal(c->argument, skip_blanks(stem + name), n, word, sizeof word))
        n++;
    for (size_t i = 0; stem[name] == 0 && i < command_count; i++)
        n += rank_of(&commands[i], stem, modes) < RANKS;
    return n;
}

const char *command_complete(const char *stem, size_t n, char buf[COMMAND_COMPLETION]) {
    return command_candidate(stem, MODE_ANY, n, buf) ? buf : NULL;
}

/* ---- names of files ---- */

/* The command whose argument is being typed, if that may be a file. */
static const struct command *of_file(const char *stem) {
    size_t name = strcspn(stem, " "), n = 0;
    const struct command *c = stem[name] ? command_by_name(stem, name) : NULL;
    for (const char *word = c ? c->argument : NULL; word && *word; word += n + (word[n] == '|')) {
        n = strcspn(word, "|");
        if (n == 4 && memcmp(word, "FILE", n) == 0)
            return c;
    }
    return NULL;
}

bool command_wants_file(const char *stem) {
    return of_file(stem) != NULL;
}

static const char *path_of(const char *stem) {
    return skip_blanks(stem + strcspn(stem, " "));
}

/* ./ goes before the name of a file that the command would take for one of its words. */
static const char *add_file(struct chars *line, const struct command *c, const char *path) {
    char word[COMMAND_COMPLETION];
    line->n = 0;
    chars_text(line, c->name);
    chars_add(line, STR(" "));
    for (size_t n = 0; literal(c->argument, path, n, word, sizeof word); n++)
        if (strcmp(word, path) == 0)
            chars_add(line, STR("./"));
    chars_text(line, path);
    chars_add(line, (struct str){"", 1});
    return line->v;
}

size_t command_offers(struct app *app, const char *stem) {
    size_t files = of_file(stem) ? file_names_count(&app->prompts.files, path_of(stem)) : 0;
    return command_candidates(stem, view_modes(app)) + files;
}

const struct command *command_offer(struct app *app, const char *stem, size_t n,
                                    const char **line) {
    struct chars *text = &app->prompts.completion;
    unsigned modes = view_modes(app);
    char buf[COMMAND_COMPLETION];
    const struct command *c = command_candidate(stem, modes, n, buf);
    text->n = 0;
    if (c) {
        chars_add(text, (struct str){buf, strlen(buf) + 1});
        *line = text->v;
        return c;
    }
    c = of_file(stem);
    const char *path = c ? file_names_complete(&app->prompts.files, path_of(stem),
                                               n - command_candidates(stem, modes))
                         : NULL;
    *line = path ? add_file(text, c, path) : NULL;
    return path ? c : NULL;
}

/* ---- Tab ---- */

const char *command_complete_line(struct app *app, const char *stem, size_t n) {
    size_t name = strcspn(stem, " ");
    const struct command *c = stem[name] ? command_by_name(stem, name) : NULL;
    const char *line;
    if (c && c->prompt && c->prompt->complete && c->prompt->complete != command_complete_line)
        return c->prompt->complete(app, stem, n);
    return command_offer(app, stem, n, &line) ? line : NULL;
}

static const char *complete(void *ctx, const char *stem, size_t n) {
    struct app *app = ctx;
    const struct command *command = app->prompts.command;
    char buf[COMMAND_COMPLETION];
    if (command->prompt->complete)
        return command->prompt->complete(app, stem, n);
    if (!literal(command->argument, stem, n, buf, sizeof buf))
        return NULL;
    app->prompts.completion.n = 0;
    chars_add(&app->prompts.completion, (struct str){buf, strlen(buf) + 1});
    return app->prompts.completion.v;
}

void command_prompt_key(struct app *app, const struct key *key) {
    struct prompt *line = &app->prompts.line;
    const struct command *command = app->prompts.command;
    app->timeline.ran = 0;
    const char *again = command->prompt->again;
    const struct command *next = again ? command_by_name(again, strlen(again)) : NULL;
    if (next && line->text.n == 0 && has_key(command->keys, key->code)) {
        prompt_close(line);
        command_run(app, next);
        return;
    }
    if (!line->completing) /* files may have come since */
        file_names_free(&app->prompts.files);
    enum prompt_result result = prompt_key(line, key, complete, app);
    if (result == PROMPT_EDITING && command->prompt->typed)
        command->prompt->typed(app, prompt_text(line));
    if (result == PROMPT_CANCELLED && command->prompt->cancelled)
        command->prompt->cancelled(app);
    if (result != PROMPT_DONE)
        return;
    struct str typed = str_of(prompt_text(line)); /* run() may open the next prompt over it */
    char *text = err_copy(typed.s, typed.n);
    prompt_close(line);
    command->run(app, text);
    free(text);
}

/* ---- texts ---- */

void command_list(FILE *out) {
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "%s\t%s\t%s\n", commands[i].keys, commands[i].name, commands[i].help);
}
