#include <sqlite3.h>

/// Leaves the log of a database as it is when its last connection is closed, instead of moving it to the file, which waits for
/// the disk. (Swift cannot call functions with a variable number of arguments.)
static inline int mockapns_sqlite_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
