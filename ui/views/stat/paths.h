/* paths.h - the paths of the range, as the views 3 Flame and 4 Sandwich show them: made in steps,
 * kept until the range, the filter or the trace changes.
 *
 * If there are many slices, a tree of a short stretch of the range comes first, with a heading for
 * it. The tree on the screen stays until its successor is complete, so that nothing blinks while a
 * trace is read. Zoom and selection are found again in it by their names. If there are many paths,
 * the bottom-up tree is first one of names without callers. */
#ifndef FXTOP_PATHS_H
#define FXTOP_PATHS_H

#include "model/query/filter/filter_match.h"
#include "model/query/stat/path_derive.h"
#include "model/query/stat/path_table.h"
#include "model/query/stat/path_walk.h"
#include "src/base/pattern.h"
#include "ui/session.h"
#include "ui/views/stat/paths_measure.h"

#define PATHS_MANY 4000000 /* slices; they take about 200 ms */
#define PATHS_SAMPLE 20    /* one part in so many of them comes first */
#define PATHS_ENDS 40      /* paths are many if they are over one part in so many of that */

struct paths_of { /* the slices of a tree */
    uint64_t version;
    uint32_t range, filter;     /* serial numbers */
    enum paths_measure measure; /* of paths_measure_tree() */
    bool running;               /* running times are known */
    bool sample;                /* only of the slices of `sample` */
};

struct paths_table { /* on the screen, and its successor */
    struct path_table shown, next;
    uint32_t of;       /* `trees` of the paths when the successor was begun */
    struct task *task; /* that makes it */
};

struct paths {
    struct app *app;
    /* asked for by keys */
    enum paths_measure measure;
    bool measure_chosen; /* by a key or a session */
    struct paths_has has;
    bool bottom_up, folded;
    bool covered; /* time in no slice is not shown: at first if it is more than half */
    /* what the filter leaves out is not shown: if that is more than half, until `c` chooses */
    bool inside;
    bool covered_chosen;
    struct filter *filter;
    uint32_t filter_serial, filters; /* number of the filter; of all filters so far */
    uint32_t middle;                 /* the name of the sandwich; PATH_ALL: none */
    /* of the slices of the range */
    struct path_tree base, next;
    struct range sample; /* the middle of the range, which comes first if there are many slices */
    bool sample_known;   /* all that is derived from it is */
    uint64_t many;       /* slices from which on it comes first: PATHS_MANY, less in tests */
    struct paths_of of, next_of;
    bool known;
    struct path_walk walk;
    struct task *walking; /* NULL: nothing is walked */
    struct filter_match *match;
    char fault[FILTER_FAULT]; /* of the filter of `base`; "": none */
    uint32_t bases, trees;    /* number of trees made; and of orders of them */
    uint64_t slices, open;
    uint32_t threads, scheduled;
    uint32_t processes;    /* the paths are of so many processes, not of slices; 0: of slices */
    bool labelled;         /* names of nodes are numbers in `labels`, not in the trace */
    struct names *labels;  /* of processes; NULL: none so far */
    struct tasks tasks;    /* they read the tree alone, which stays when the trace changes */
    struct paths_order {   /* of the tree that is shown, by another weight */
        struct task *task; /* NULL: none is made */
        struct path_tree *tree;
        enum path_weight by;
    } order;
    /* folded or bottom-up */
    struct path_tree derived;
    bool has_derived;
    bool derived_up, derived_folded;
    bool derived_ends; /* bottom-up without callers, which comes first if there are many paths */
    struct paths_making {
        struct task *task; /* NULL: nothing is made */
        enum path_weight by;
        bool up, folded, ends;
        const struct path_tree *from;
        struct path_tree tree;
    } making;
    uint32_t derived_of; /* `bases` */
    /* in the tree that is shown */
    uint32_t zoom, selected;
    /* of the search */
    struct pattern *pattern;
    VEC(unsigned char) names; /* by name: 0 not known, 1 no, 2 a match */
    VEC(unsigned char) marks; /* by node: it or a frame around it matches */
    uint32_t marks_of;        /* `trees` */
    struct sum marked[PATH_WEIGHTS];
    uint64_t marked_frames;
    bool marks_known;
    struct { /* while a search or a filter is typed: those from before */
        bool pattern_on, filter_on;
        struct pattern *pattern;
        struct filter *filter;
        uint32_t filter_serial;
    } typing;
    struct paths_table by_name, callers, callees;
};

/* The paths of the app, made at the first call: the state of view_flame. */
struct paths *paths_of_app(struct app *app);
void paths_free(struct paths *paths);

/* A step; true: there is more. *news: the screen shows its result. */
bool paths_step(struct paths *paths, bool *news);
/* How much of the slices is walked, in percent; 100: all. */
unsigned paths_percent(const struct paths *paths);
/* the trace was read again: names and nodes mean nothing now */
void paths_renew(struct paths *paths);

/* The tree to show; NULL: none is in order yet. */
const struct path_tree *paths_tree(const struct paths *paths);
/* The name with the most of its own in the tree that is shown; PATH_ALL: not known yet, or none. */
uint32_t paths_first_name(const struct paths *paths);
/* The weight that it is in order by, and that of the whole. */
enum path_weight paths_weight(const struct paths *paths);
struct sum paths_whole(const struct paths *paths);
/* The weight of tables, in time: running time if that is shown, else wall time; and that of the
 * whole. */
enum path_weight paths_time(const struct paths *paths);
struct sum paths_whole_time(const struct paths *paths);
/* The slices of a frame; of that of all and of a bottom-up tree with those inside. */
struct sum paths_calls(const struct paths *paths, uint32_t node);
/* False, with a message, if the text is no filter. "": none. */
bool paths_set_filter(struct paths *paths, const char *text);
const char *paths_filter(const struct paths *paths); /* as it was typed; NULL: none */
/* The pattern of a search, whose frames are marked; NULL: none. False, with a message: it is no
 * pattern. */
bool paths_set_pattern(struct paths *paths, const char *text);
bool paths_is_marked(struct paths *paths, uint32_t name);
/* The same while they are typed; a text that is no pattern or filter yet changes nothing. */
void paths_type_pattern(struct paths *paths, const char *text);
void paths_type_filter(struct paths *paths, const char *text);
/* Brings back those from before; nothing if none is typed. */
void paths_typed_pattern_end(struct paths *paths);
void paths_typed_filter_end(struct paths *paths);

/* ---- words ---- */

/* A key or a session chooses the measure. */
void paths_choose(struct paths *paths, enum paths_measure measure);
const char *paths_measured(const struct paths *paths); /* the words for it */
/* Times are numbers of a profiler's samples, or off-CPU times of these. */
bool paths_of_samples(const struct paths *paths);
/* The word for one in the weight of calls: "call", or "process"; or that for more than one. */
const char *paths_unit(const struct paths *paths, bool one);
/* "742 calls"; empty of samples, which do not count calls. */
void paths_calls_text(const struct paths *paths, struct sum calls, char buf[48]);
/* The name of a frame: of a slice, of a process, "all", "no slice". */
struct str paths_name(const struct paths *paths, uint32_t name);
/* Its look; false: its slices have several. */
bool paths_look(const struct paths *paths, uint32_t name, struct look *look);
/* A time of tables, which may be a number of samples: "6.84 s", "742". */
const char *paths_time_text(const struct paths *paths, struct sum time, bool ascii, char buf[32]);
/* "6.84 s", or calls: "1,484"; and "55.1%" of the whole. */
const char *paths_amount(const struct paths *paths, struct sum amount, char buf[32]);
const char *paths_share(struct sum part, struct sum whole, char buf[32]);
/* "wall time  whole trace 12.42 s  3 threads": the heading of the numbers. */
void paths_heading(const struct paths *paths, char *buf, size_t cap);
/* "12 frames  17.0% " or "740 slices " while a search or a filter is typed, else "". */
void paths_typed_words(const struct paths *paths, char *buf, size_t cap);

#endif
