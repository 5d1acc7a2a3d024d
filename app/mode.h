/* mode.h - the modes of the program. */
#ifndef FXTOP_MODE_H
#define FXTOP_MODE_H

/* The modes from MODE_LIST_KEYS on need no trace. */
enum mode {
    MODE_SCREEN,
    MODE_PRINT,
    MODE_RECORDS,
    MODE_EXPORT,
    MODE_SUMMARY,
    MODE_CHECK,
    MODE_TOP,
    MODE_INSTANCES,
    MODE_DESCRIBE,
    MODE_QUERY,
    MODE_ASSERT,
    MODE_COMPARE,
    MODE_INDEX,
    MODE_SERVE,
    MODE_LIST_KEYS,
    MODE_COMPLETION,
    MODE_HELP,
    MODE_VERSION
};

#endif
