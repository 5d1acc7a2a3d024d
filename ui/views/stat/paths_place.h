/* paths_place.h - the place in 3 Flame and 4 Sandwich as lines (ui/views/view_place.h), and their
 * rows as text for y. */
#ifndef FXTOP_PATHS_PLACE_H
#define FXTOP_PATHS_PLACE_H

#include "model/output/chars.h"
#include "ui/views/stat/paths.h"

/* Appends weight, direction, filter and search as lines. */
void paths_place_keep(const struct paths *paths, struct chars *out);
/* Puts one line back; false: it is another one, or names nothing that is here. */
bool paths_place_put(struct paths *paths, const char *line);
/* The path of a node as a line; nothing of the outermost. */
void paths_place_node(const struct paths *paths, const char *word, uint32_t node,
                      struct chars *out);
/* The node of such a path; false: the tree has no such frame. */
bool paths_place_find(const struct paths *paths, const char *path, uint32_t *node);

/* The selected frame: "all > Frame > Layout", its time or calls, share, self and calls, with
 * tabs. */
void paths_place_copy_frame(const struct paths *paths, struct chars *out);
/* A title line, and a row of a table of names, with tabs. what: the first cell; NULL: none. whole:
 * of the share. */
void paths_place_copy_titles(const char *what, struct chars *out);
void paths_place_copy_row(const struct paths *paths, const char *what,
                          const struct path_row_by_name *row, struct sum whole, struct chars *out);

#endif
