/* keymap.h - the meaning of typed keys: the chosen set of keys, and the keys that :map made.
 *
 * The command table has the keys of the manual. A key of :map goes first, then one that the set
 * adds; both run a command in the modes of that command alone. All other keys are looked up in the
 * table, after the set's swaps on the timeline. Keys that --keys plays are those of the manual,
 * whatever was chosen. */
#ifndef FXTOP_KEYMAP_H
#define FXTOP_KEYMAP_H

#include "ui/session.h"

/* The line of a command that a key, or first << 32 | second, runs in a mode; NULL: none. */
const char *keymap_line(const struct keymap *map, uint64_t code, unsigned mode);
/* The i-th of these keys, and its line; false: there are fewer. */
bool keymap_at(const struct keymap *map, size_t i, const char **keys, const char **line);
/* Whether a sequence of two keys begins with this one in a mode. */
bool keymap_prefix(const struct keymap *map, uint32_t code, unsigned mode);
/* Calls put(ctx, keys, line) for each sequence of a mode that begins with a key. */
void keymap_sequences(const struct keymap *map, uint32_t prefix, unsigned mode, void *ctx,
                      void (*put)(void *ctx, const char *keys, const char *line));
/* The key of the manual whose command a typed one runs in a mode. Its own inverse: swaps go both
 * ways. */
uint32_t keymap_key(const struct keymap *map, uint32_t code, unsigned mode);
/* A hint such as "w/s zoom", or the names of keys such as "w +", with the keys to be typed. They
 * return the text or buf. */
const char *keymap_hint(const struct keymap *map, const char *text, unsigned mode, char buf[96]);
const char *keymap_names(const struct keymap *map, const char *keys, unsigned mode, char buf[96]);

/* The commands :map and :unmap; a message names the result. */
void keymap_type(struct app *app, const char *text);
void keymap_unmap(struct app *app, const char *text);
/* The setting "keys": the name of a set. False: there is no such set. */
bool keymap_choose(struct app *app, const char *name);
const char *keymap_chosen(const struct app *app);
void keymap_free(struct keymap *map);

#endif
