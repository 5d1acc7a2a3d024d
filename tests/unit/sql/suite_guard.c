/* suite_guard.c - statements that a query must refuse: each fails, and leaves no file.
 *
 * The list is what SQLite could be made to write, attach, load, execute or exhaust. */
#include "sql/guard.h"

#include "tests/unit/lib/loaded.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib/must.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/sql/asked.h"

static const char *const refused[] = {
    "attach 'hostile.db' as x",
    "attach ':memory:' as x",
    "attach database '' as x",
    "detach main",
    "detach temp",
    "vacuum",
    "vacuum into 'hostile.db'",
    "pragma journal_mode",
    "pragma journal_mode = wal",
    "pragma temp_store_directory = '/tmp'",
    "pragma data_store_directory = '/tmp'",
    "pragma writable_schema = on",
    "pragma trusted_schema = on",
    "pragma hard_heap_limit = 0",
    "pragma soft_heap_limit = 0",
    "pragma case_sensitive_like = on",
    "pragma recursive_triggers = on",
    "pragma mmap_size = 1000000000",
    "pragma threads = 8",
    "pragma cache_spill = 0",
    "pragma locking_mode = exclusive",
    "pragma user_version = 3",
    "pragma database_list",
    "pragma query_only = off",
    "pragma optimize",
    "pragma integrity_check",
    "pragma wal_checkpoint",
    "pragma temp.journal_mode = wal",
    "begin",
    "begin exclusive",
    "commit",
    "rollback",
    "savepoint s",
    "release s",
    "select load_extension('libm.so.6')",
    "select load_extension('libm.so.6', 'sin')",
    "select fts3_tokenizer('simple')",
    "select fts3_tokenizer('simple', x'4141414141414141')",
    "select writefile('hostile', 'x')",
    "select readfile('/etc/passwd')",
    "select edit('x')",
    "select eval('attach ''hostile.db'' as x')",
    "select * from fsdir('/')",
    "select * from csv('/etc/passwd')",
    "select * from pragma_database_list",
    "select * from pragma_journal_mode",
    "insert into slice (name) values ('x')",
    "update slice set name = 'x'",
    "delete from slice",
    "delete from args where 1",
    "insert into main.sqlite_master values (1, 2, 3, 4, 5)",
    "update sqlite_temp_master set sql = 'x'",
    "delete from sqlite_temp_master",
    "drop table slice",
    "drop table main.thread",
    "alter table slice add column x",
    "alter table slice rename to y",
    "create trigger t after insert on slice begin select 1; end",
    "create temp table a (x); create trigger t after insert on a begin select 1; end",
    "create table main.a (x)",
    "create temp table a (x); create index main.i on a (x)",
    "create virtual table x using fts5(a)",
    "create virtual table x using fts3(a)",
    "create virtual table x using rtree(a, b, c)",
    "create virtual table x using csv(filename = '/etc/passwd')",
    "create virtual table x using dbstat",
    "create virtual table main.x using span_join(slice, slice)",
    "create virtual table x using slice",
    "analyze",
    "explain attach 'hostile.db' as x",
    "select 1; attach 'hostile.db' as x; select 2",
    "create view v as select load_extension('x'); select * from v",
    "with recursive r(i) as (select 1 union all select i + 1 from r) select printf('%.*c', "
    "100000000, 'x') from r",
    "select zeroblob(1000000000)",
    "select randomblob(1000000000)",
    "select replace(hex(zeroblob(10000000)), '0', 'xxxxxxxxxxxxxxxxxxxx')",
    ("select "
     "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "(((((((((1"
     ")))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))"
     ")))))))) +"),
};

static int files_in(const char *path) {
    int n = 0;
    DIR *dir = opendir(path);
    ck_assert(dir != NULL);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

START_TEST(everything_but_reading_is_refused) {
    struct trace *trace = loaded_fixture("every_kind");
    char path[] = "/tmp/guardXXXXXX", before[1000];
    struct err err;
    ck_assert(getcwd(before, sizeof before) != NULL && mkdtemp(path) != NULL && chdir(path) == 0);
    struct query *query = query_new(trace, &(struct query_options){.memory = 64 << 20}, &err);
    ck_assert_int_ge(sizeof refused / sizeof *refused, 60);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *text = asked(query, refused[i]);
        ck_assert_msg(strstr(text, "error: ") != NULL, "%s\n%.200s", refused[i], text);
        ck_assert_msg(strchr(text, '\n') == NULL, "%s\n%.200s", refused[i], text);
        free(text);
    }
    ck_assert_int_eq(files_in("."), 2);
    query_free(query);
    ck_assert_int_eq(chdir(before), 0);
    ck_assert_int_eq(rmdir(path), 0);
    trace_free(trace);
}
END_TEST

START_TEST(what_is_temporary_can_be_made_and_changed) {
    struct trace *trace = loaded_fixture("every_kind");
    static const char sql[] =
        "create temp table a (x); create index i on a (x); insert into a values (1), (2); update a "
        "set x = x + 1; "
        "delete from a where x = 2; create view v as select x from a; drop view v; select * from a";
    char *text = asked_once(trace, sql);
    ck_assert_str_eq(text, "3\n");
    free(text);
    text = asked_once(trace, "select count(*) > 5 from pragma_table_info('slice')");
    ck_assert_str_eq(text, "1\n");
    free(text);
    trace_free(trace);
}
END_TEST

SUITE(guard) {
    Suite *suite = suite_create("guard");
    TCase *c = tcase_create("guard");
    tcase_add_test(c, everything_but_reading_is_refused);
    tcase_add_test(c, what_is_temporary_can_be_made_and_changed);
    suite_add_tcase(suite, c);
    return suite;
}
