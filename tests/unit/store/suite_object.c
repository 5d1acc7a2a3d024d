/* suite_object.c - names of objects, against a list that is read from its end. */
#include "model/store/object.h"

#include "src/fxt/fxt.h"
#include "tests/lib/chance.h"
#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"

enum { MOST = 200, NAMES = 6 };

static struct object list[MOST]; /* as they were added */
static size_t n_list;

static struct object any_object(struct chance *chance, uint64_t koids) {
    static const uint8_t types[] = {FXT_OBJECT_PROCESS, FXT_OBJECT_THREAD, 9};
    return (struct object){.koid = below(chance, koids) ? below(chance, koids) : UINT64_MAX,
                           .process = below(chance, 3),
                           .name = (uint32_t)below(chance, NAMES),
                           .type = types[below(chance, 3)],
                           .has_process = below(chance, 3) > 0,
                           .has_sort_index = below(chance, 4) == 0,
                           .sort_index = (int32_t)below(chance, 9) - 4,
                           .has_labels = below(chance, 4) == 0,
                           .has_name = true};
}

/* Names from the newest on, each once; those that name the process alone, unless there is none of
 * them. */
static size_t slow_names(uint8_t type, uint64_t koid, bool has_pid, uint64_t pid, uint32_t *names,
                         size_t cap) {
    for (int own = 1; own >= 0; own--) {
        size_t n = 0;
        if (own && !(has_pid && type == FXT_OBJECT_THREAD))
            continue;
        for (size_t i = n_list; i-- > 0 && n < cap;) {
            const struct object *o = &list[i];
            bool known = o->koid != koid || o->type != type || o->name == 0;
            for (size_t k = 0; k < n; k++)
                known = known || names[k] == o->name;
            if (!known && !(own && !(o->has_process && o->process == pid)))
                names[n++] = o->name;
        }
        if (n > 0)
            return n;
    }
    return 0;
}

static int32_t slow_sort_index(uint8_t type, uint64_t koid, bool has_pid, uint64_t pid) {
    for (size_t i = n_list; i-- > 0;) {
        const struct object *o = &list[i];
        if (o->koid == koid && o->type == type && o->has_sort_index &&
            (!has_pid || (o->has_process && o->process == pid)))
            return o->sort_index;
    }
    return 0;
}

static uint32_t slow_labelled(uint64_t koid) {
    for (size_t i = n_list; i-- > 0;)
        if (list[i].koid == koid && list[i].type == FXT_OBJECT_PROCESS && list[i].has_labels)
            return (uint32_t)i;
    return UINT32_MAX;
}

static void compare_kernel(const struct objects *objects, uint64_t koid, struct chance *chance,
                           int set) {
    uint32_t name = UINT32_MAX;
    for (size_t i = n_list; i-- > 0 && name == UINT32_MAX;)
        if (list[i].koid == koid && list[i].name != 0)
            name = list[i].name;
    /* last: neither thread, nor process */
    uint32_t last[2] = {UINT32_MAX, UINT32_MAX}, as_process = UINT32_MAX;
    uint8_t newest = 0;
    for (size_t i = 0; i < n_list; i++) {
        if (list[i].koid != koid || list[i].name == 0)
            continue;
        newest = list[i].type;
        as_process = list[i].type == FXT_OBJECT_PROCESS ? list[i].name : as_process;
        last[0] = list[i].type != FXT_OBJECT_THREAD ? list[i].name : last[0];
        last[1] = list[i].type != FXT_OBJECT_PROCESS ? list[i].name : last[1];
    }
    MUST(objects_koid_name(objects, 0, koid, OBJECT_PROCESS) == last[0], set);
    MUST(objects_koid_name(objects, 0, koid, OBJECT_THREAD) == last[1], set);
    bool both = newest == FXT_OBJECT_THREAD && as_process != UINT32_MAX;
    MUST(objects_koid_name(objects, 0, koid, OBJECT_ANY) == (both ? as_process : name), set);
    MUST(objects_find_labelled(objects, 0, koid) == slow_labelled(koid), set);
    for (uint8_t type = 0; type < 10; type++) {
        uint64_t process = 77, wanted = 77, pid = below(chance, 3);
        bool found = false;
        for (size_t i = n_list; i-- > 0 && !found;)
            if (list[i].koid == koid && list[i].type == type && list[i].has_process) {
                wanted = list[i].process;
                found = true;
            }
        MUST(objects_koid_process(objects, 0, type, koid, &process) == found && process == wanted,
             set);
        uint32_t got[NAMES], slow[NAMES];
        size_t cap = 1 + below(chance, NAMES);
        bool has_pid = below(chance, 2);
        size_t n =
            objects_names(objects, (struct object_owner){koid, type, has_pid, pid, 0}, got, cap);
        MUST(n == slow_names(type, koid, has_pid, pid, slow, cap), set);
        for (size_t k = 0; k < n; k++)
            MUST(got[k] == slow[k], set);
        MUST(objects_sort_index(objects, (struct object_owner){koid, type, has_pid, pid, 0}) ==
                 slow_sort_index(type, koid, has_pid, pid),
             set);
    }
}

START_TEST(the_latest_object_of_a_koid_names_it) {
    struct chance chance = {51};
    for (int set = 0; set < 200; set++) {
        struct objects objects = {0};
        uint64_t koids = 2 + below(&chance, 12);
        for (n_list = 0; n_list < MOST; n_list++) {
            struct object o = any_object(&chance, koids);
            MUST(object_count(&objects) == n_list, set);
            objects_add_kernel(&objects, &o);
            list[n_list] = o;
            MUST(object_at(&objects, n_list)->koid == o.koid, set);
            if (n_list % 40 == 39) {
                size_t n = n_list++;
                for (uint64_t koid = 0; koid < koids; koid++)
                    compare_kernel(&objects, koid, &chance, set);
                compare_kernel(&objects, UINT64_MAX, &chance, set);
                n_list = n;
            }
        }
        objects_free(&objects);
    }
}
END_TEST

START_TEST(a_pointer_is_named_by_the_latest_of_its_process) {
    struct chance chance = {53};
    for (int set = 0; set < 200; set++) {
        struct objects objects = {0};
        for (n_list = 0; n_list < MOST; n_list++) {
            list[n_list] = any_object(&chance, 8);
            objects_add_user(&objects, &list[n_list]);
        }
        for (uint64_t pointer = 0; pointer < 9; pointer++) {
            for (uint64_t process = 0; process < 4; process++) {
                uint32_t name = UINT32_MAX;
                for (size_t i = n_list; i-- > 0 && name == UINT32_MAX;)
                    if (list[i].koid == pointer && list[i].has_process &&
                        list[i].process == process && list[i].name != 0)
                        name = list[i].name;
                MUST(objects_pointer_name(&objects, 0, process, pointer) == name, set);
            }
        }
        objects_free(&objects);
    }
}
END_TEST

START_TEST(the_name_of_an_argument_tells_the_kind) {
    static const struct {
        const char *name;
        enum object_taken as;
    } cases[] = {
        {"process", OBJECT_PROCESS},
        {"parentProcess", OBJECT_PROCESS},
        {"pid", OBJECT_PROCESS},
        {"PID", OBJECT_PROCESS},
        {"Thread", OBJECT_THREAD},
        {"main_thread", OBJECT_THREAD},
        {"Tid", OBJECT_THREAD},
        {"waker", OBJECT_THREAD},
        {"pids", OBJECT_ANY},
        {"owner", OBJECT_ANY},
        {"", OBJECT_ANY},
        {"threa", OBJECT_ANY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        MUST(objects_taken(str_of(cases[i].name)) == cases[i].as, (int)i);
}
END_TEST

SUITE(object) {
    Suite *s = suite_create("object");
    TCase *t = tcase_create("object");
    tcase_add_test(t, the_latest_object_of_a_koid_names_it);
    tcase_add_test(t, a_pointer_is_named_by_the_latest_of_its_process);
    tcase_add_test(t, the_name_of_an_argument_tells_the_kind);
    suite_add_tcase(s, t);
    return s;
}
