/* rewrite_made.c - macros that statements make.
 *
 * A call is replaced before anything else is rewritten: first its operands, in which there may be
 * calls, then its text, in which there may be others. Their depth and the bytes of all texts have a
 * limit. */
#include "sql/rewrite/rewrite_internal.h"

#include <string.h>

#define DEEPEST 16
#define MOST ((size_t)8 << 20) /* bytes of texts and operands */
#define CALL 64                /* bytes that a call counts for, without its text */
#define WANTS "CREATE PERFETTO MACRO wants name(argument type, ..) RETURNS type AS text"

struct expansion {
    struct rewrite_macros *macros;
    struct err *err;
    size_t from; /* the byte of the outermost call */
    size_t bytes;
    int depth;
};

struct call {
    const struct rewrite_macro *macro;
    struct rewrite_token open;
    struct rewrite_range operands[REWRITE_ARGUMENTS];
    size_t end; /* after its parenthesis */
};

struct operands { /* of the macro whose text is read */
    const struct rewrite_macro *macro;
    struct chars texts[REWRITE_ARGUMENTS];
};

/* ---- the macros ---- */

static struct rewrite_macro *find(const struct rewrite_macros *macros,
                                  const struct rewrite_state *s, struct rewrite_token name) {
    for (size_t i = 0; i < macros->n; i++)
        if (rewrite_is(s, name, macros->v[i].name))
            return &macros->v[i];
    return NULL;
}

static void free_macro(struct rewrite_macro *macro) {
    for (int i = 0; i < macro->n; i++)
        free(macro->arguments[i]);
    free(macro->name);
    free(macro->text);
}

void rewrite_macros_free(struct rewrite_macros *macros) {
    for (size_t i = 0; i < macros->n; i++)
        free_macro(&macros->v[i]);
    vec_free(macros);
}

/* Whether CREATE [OR REPLACE] PERFETTO MACRO begins at t; then *name is the token after it. */
static bool makes_macro(const struct rewrite_state *s, struct rewrite_token t,
                        struct rewrite_token *name) {
    if (!rewrite_is(s, t, "create"))
        return false;
    t = rewrite_after(s, t);
    if (rewrite_is(s, t, "or"))
        t = rewrite_after(s, rewrite_after(s, t));
    if (!rewrite_is(s, t, "perfetto") || !rewrite_is(s, rewrite_after(s, t), "macro"))
        return false;
    *name = rewrite_after(s, rewrite_after(s, t));
    return true;
}

/* Keeps the macro; *end is the byte after its statement. */
static bool make(struct expansion *x, const struct rewrite_state *s, struct rewrite_token name,
                 size_t *end) {
    struct rewrite_range ranges[REWRITE_ARGUMENTS];
    struct rewrite_token open = rewrite_after(s, name);
    int n = rewrite_is_char(s, open, '(') ? rewrite_split(s, open, ranges, REWRITE_ARGUMENTS) : -1;
    struct rewrite_token returns = rewrite_after_list(s, open),
                         as = rewrite_after(s, rewrite_after(s, returns));
    if (name.kind != REWRITE_WORD || n < 0 || !rewrite_is(s, returns, "returns") ||
        !rewrite_is(s, as, "as"))
        return err_set(x->err, name.at, WANTS);
    struct rewrite_token body = rewrite_after(s, as);
    size_t last = body.at; /* without a comment after it */
    *end = rewrite_statement_end(s, body);
    for (struct rewrite_token t = body; t.at < *end; t = rewrite_after(s, t))
        last = t.at + t.n;
    struct rewrite_macro macro = {.n = n};
    for (int i = 0; i < n; i++) {
        struct rewrite_token argument = rewrite_next(s->sql, ranges[i].from);
        macro.arguments[i] = err_copy(s->sql.s + argument.at - 1, argument.n + 1);
        macro.arguments[i][0] = '$';
    }
    macro.name = err_copy(s->sql.s + name.at, name.n);
    macro.text = err_copy(s->sql.s + body.at, last - body.at);
    struct rewrite_macro *old = find(x->macros, s, name);
    if (old) {
        free_macro(old);
        *old = macro;
    } else {
        vec_push(x->macros, macro);
    }
    return true;
}

/* ---- calls ---- */

/* Whether a macro is called at t. */
static bool is_call(const struct expansion *x, const struct rewrite_state *s,
                    struct rewrite_token t, struct call *call) {
    struct rewrite_token bang = rewrite_token(s->sql, t.at + t.n);
    if (t.kind != REWRITE_WORD || !rewrite_is_char(s, bang, '!'))
        return false;
    call->open = rewrite_after(s, bang);
    call->macro = rewrite_is_char(s, call->open, '(') ? find(x->macros, s, t) : NULL;
    return call->macro != NULL;
}

static bool too_much(struct expansion *x) {
    return err_set(x->err, x->from, "macros are nested too deeply, or become too large");
}

static bool add(struct expansion *x, struct chars *to, struct str text) {
    x->bytes += text.n;
    if (x->bytes > MOST)
        return too_much(x);
    /* Two of them would begin a comment. */
    if (to->n > 0 && text.n > 0 && to->v[to->n - 1] == '-' && text.s[0] == '-')
        chars_put(to, ' ');
    chars_add(to, text);
    return true;
}

static bool expand(struct expansion *x, struct str text, const struct operands *operands,
                   struct chars *to);

/* Adds what a call becomes. `outer`: the operands of the text that has it, or NULL. */
static bool put_call(struct expansion *x, const struct rewrite_state *s, struct call *call,
                     const struct operands *outer, struct chars *to) {
    struct operands operands = {.macro = call->macro};
    int n = rewrite_split(s, call->open, call->operands, REWRITE_ARGUMENTS);
    if (n != call->macro->n)
        return err_set(x->err, x->from, "operands of the macro %.60s!: it wants %d",
                       call->macro->name, call->macro->n);
    call->end = n > 0 ? call->operands[n - 1].to + 1 : rewrite_after(s, call->open).at + 1;
    x->bytes += CALL;
    if (x->depth == DEEPEST)
        return too_much(x);
    x->depth++;
    bool fine = true;
    for (int i = 0; i < n && fine; i++)
        fine = expand(x, rewrite_between(s, call->operands[i].from, call->operands[i].to), outer,
                      &operands.texts[i]);
    fine = fine && expand(x, str_of(call->macro->text), &operands, to);
    x->depth--;
    for (int i = 0; i < n; i++)
        vec_free(&operands.texts[i]);
    return fine;
}

/* The operand that a token of a macro's text names, or the token. */
static struct str meaning(const struct operands *operands, struct str token) {
    for (int i = 0; operands && token.s[0] == '$' && i < operands->macro->n; i++)
        if (str_eq(token, str_of(operands->macro->arguments[i])))
            return (struct str){operands->texts[i].v, operands->texts[i].n};
    return token;
}

/* Adds a text with its calls replaced. */
static bool expand(struct expansion *x, struct str text, const struct operands *operands,
                   struct chars *to) {
    const struct rewrite_state s = {.sql = text};
    struct rewrite_token t = rewrite_token(text, 0);
    bool fine = true;
    while (fine && t.kind != REWRITE_END) {
        struct call call;
        size_t end = t.at + t.n;
        if (is_call(x, &s, t, &call)) {
            fine = put_call(x, &s, &call, operands, to);
            end = fine ? call.end : end;
        } else {
            fine = add(x, to, meaning(operands, rewrite_between(&s, t.at, end)));
        }
        t = rewrite_token(text, end);
    }
    return fine;
}

/* ---- the typed text ---- */

static void copy(struct chars *text, struct rewrite_pieces *pieces, struct str sql, size_t from,
                 size_t to) {
    vec_push(pieces, ((struct rewrite_piece){text->n, from, true}));
    chars_add(text, (struct str){sql.s + from, to - from});
}

bool rewrite_expand(struct rewrite *out, struct rewrite_macros *macros, struct str sql,
                    struct err *err) {
    struct expansion x = {.macros = macros, .err = err};
    const struct rewrite_state s = {.sql = sql};
    struct chars *text = &out->expanded;
    struct rewrite_pieces *pieces = &out->calls;
    size_t done = 0; /* bytes of sql */
    bool begins = true, fine = true;
    struct rewrite_token t = rewrite_next(sql, 0), name;
    while (fine && t.kind != REWRITE_END) {
        struct call call;
        size_t end = t.at + t.n;
        bool makes = begins && makes_macro(&s, t, &name),
             calls = !makes && is_call(&x, &s, t, &call);
        if (makes || calls)
            copy(text, pieces, sql, done, t.at);
        if (makes) {
            fine = make(&x, &s, name, &end);
        } else if (calls) {
            x.from = t.at;
            vec_push(pieces, ((struct rewrite_piece){text->n, t.at, false}));
            fine = put_call(&x, &s, &call, NULL, text);
            end = fine ? call.end : end;
        }
        done = makes || calls ? end : done;
        begins = rewrite_is_char(&s, t, ';');
        t = rewrite_next(sql, end);
    }
    copy(text, pieces, sql, done, sql.n);
    return fine;
}
