/* sampled.h - the names by which records are of a sampling profiler (doc/IMPORT.md, Samples). */
#ifndef FXTOP_SAMPLED_H
#define FXTOP_SAMPLED_H

#include "src/base/str.h"

#define SAMPLED_CATEGORY STR("sampled") /* of frames as slices, and of samples as instants */
#define SAMPLED_INSTANT STR("sample")
#define SAMPLED_BLOCKED STR("blocked") /* in place of it if the thread leaves its CPU then */
#define SAMPLED_THREAD STR("thread")   /* a koid of the row: the thread that its samples are of */

#endif
