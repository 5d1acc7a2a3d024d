/* stat_times.h - POSIX's names of the times of a file, on a system that has others. */
#ifndef FXTOP_STAT_TIMES_H
#define FXTOP_STAT_TIMES_H

#ifdef __APPLE__
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

#endif
