/* map_guard.h - private and shared maps of files whose pages may vanish: the file was truncated,
 * the disk fails.
 *
 * A read of such a page is a SIGBUS. The handler replaces the rest of that map, from the page on,
 * by zeros, and the read continues; a guard remembers that this happened. The handler is installed
 * with the first guard, for the whole process. A fault outside of all guarded maps is passed to the
 * handler before it. */
#ifndef FXTOP_MAP_GUARD_H
#define FXTOP_MAP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#define MAP_GUARD_NONE (-1) /* there are 160 guards; with none a file must be read, not mapped */

int map_guard_new(void);        /* guards nothing yet; or MAP_GUARD_NONE */
void map_guard_free(int guard); /* before the map ends; MAP_GUARD_NONE: nothing happens */

/* Guards [map, map + n) from now on, instead of what it guarded before. n: 0 before the map
 * ends. */
void map_guard_set(int guard, const void *map, size_t n);
/* Whether pages were replaced in any map of this guard so far. */
bool map_guard_lost(int guard);

#endif
