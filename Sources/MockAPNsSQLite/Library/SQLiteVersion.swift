internal import CMockAPNsSQLite

/// The SQLite library.
package enum SQLiteVersion {
    /// The version of the linked library, such as `3.40.1`.
    package static var text: String { String(cString: sqlite3_libversion()) }
}
