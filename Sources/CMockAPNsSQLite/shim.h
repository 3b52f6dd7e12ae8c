#include <sqlite3.h>

/// Leaves the log of a database as it is when its last connection is closed, instead of moving it to the file, which waits for
/// the disk. (Swift cannot call functions with a variable number of arguments.)
static inline int mockapns_sqlite_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// What the connections to a database say of its log, in memory that they share; the numbers are SQLite's.
typedef struct {
    unsigned int changes, page_size, frames, salt, moved, moving;
} mockapns_sqlite_log_index;

/// The size of that memory at the start of the `-shm` file, in bytes.
enum { mockapns_sqlite_log_index_size = 32768 };

/// Returns the shared memory of a connection that has read its database, until the connection is closed; NULL if there is none.
static inline const void *mockapns_sqlite_log_memory(sqlite3 *database) {
    sqlite3_file *file = 0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    void volatile *memory = 0;
    if (file->pMethods->xShmMap(file, 0, mockapns_sqlite_log_index_size, 0, &memory) != SQLITE_OK) return 0;
    return (const void *)memory;
}

/// Reads the memory, whose form the file format of SQLite documents ("WAL-Index Format"); returns 0 while it changes.
static inline int mockapns_sqlite_read_log_index(const void *memory, mockapns_sqlite_log_index *index) {
    // Two copies of 12 numbers, which are equal unless one is being written, and then the progress of checkpoints.
    const volatile unsigned int *numbers = (const volatile unsigned int *)memory;
    unsigned int first[12];
    for (int i = 0; i < 12; i++) first[i] = numbers[i];
    __sync_synchronize();
    for (int i = 0; i < 12; i++) if (numbers[12 + i] != first[i]) return 0;
    const unsigned char *bytes = (const unsigned char *)&first[3];
    unsigned short size;
    __builtin_memcpy(&size, bytes + 2, 2);
    if (first[0] != 3007000 || bytes[0] == 0) return 0;
    index->changes = first[2];
    index->page_size = (size & 0xfe00u) + ((size & 1u) << 16);
    index->frames = first[4];
    index->salt = first[8];
    index->moved = numbers[24];
    index->moving = numbers[32];
    return 1;
}
