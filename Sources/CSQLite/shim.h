#pragma once
#include <sqlite3.h>
#include <stdlib.h>

// What the importer cannot see: macros with casts, variadic functions, and a table of C functions.

/// Leaves out the counting of all memory in use, which takes a lock of the whole process with every piece; to be called
/// before anything else.
static inline void rowhouse_count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Binds bytes that stay where they are until the statement has run and its values are forgotten.
static inline int rowhouse_bind_lasting_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

/// Binds text that SQLite copies before it returns.
static inline int rowhouse_bind_text(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes that SQLite copies before it returns.
static inline int rowhouse_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Makes a text in double quotes a name and nothing else.
static inline void rowhouse_refuse_double_quoted_text(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/// Leaves the write-ahead log as it is when the connection is closed.
static inline void rowhouse_keep_log(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// One read-only mapping of a database file for all connections of the process.
typedef struct {
    unsigned char *base;
    sqlite3_int64 limit;
    /// How much of the file there is; it only grows while it is open.
    sqlite3_int64 size;
} rowhouse_mapping;

/// The functions of an open file, with fetching from the mapping.
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *original;
    rowhouse_mapping *mapping;
} rowhouse_mapped_methods;

static inline int rowhouse_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **page) {
    rowhouse_mapped_methods *mapped = (rowhouse_mapped_methods *)file->pMethods;
    rowhouse_mapping *mapping = mapped->mapping;
    sqlite3_int64 end = offset + count;
    *page = 0;
    if (end > mapping->limit) return SQLITE_OK;
    if (end > __atomic_load_n(&mapping->size, __ATOMIC_RELAXED)) {
        sqlite3_int64 size = 0;
        if (mapped->original->xFileSize(file, &size) != SQLITE_OK || end > size) return SQLITE_OK;
        __atomic_store_n(&mapping->size, size, __ATOMIC_RELAXED);
    }
    *page = mapping->base + offset;
    return SQLITE_OK;
}

static inline int rowhouse_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *page) {
    (void)file, (void)offset, (void)page;
    return SQLITE_OK;
}

/// Lets a connection read its file through the mapping; the result is to be freed after closing the connection.
///
/// SQLite's own mapping is one for each connection, and given back after each commit of another connection in case
/// the file was cut short, so that every page is faulted in again.
static inline void *rowhouse_use_mapping(sqlite3 *database, rowhouse_mapping *mapping) {
    sqlite3_file *file = 0;
    rowhouse_mapped_methods *mapped;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file || !file->pMethods
        || file->pMethods->iVersion < 3 || !(mapped = malloc(sizeof *mapped)))
        return 0;
    mapped->methods = *file->pMethods;
    mapped->original = file->pMethods;
    mapped->mapping = mapping;
    mapped->methods.xFetch = rowhouse_fetch;
    mapped->methods.xUnfetch = rowhouse_unfetch;
    file->pMethods = &mapped->methods;
    return mapped;
}
