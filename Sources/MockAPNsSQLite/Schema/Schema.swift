internal import MockAPNsLog

/// The tables, as `docs/data.md` describes them.
enum Schema {
    /// Marks the files of mock-apns: `APNs` in ASCII.
    static let applicationID: Int64 = 0x4150_4e73

    /// The version of the tables, which changes with them and with what their columns have.
    static let version = 2

    /// The statements that change tables of an older version into those of the next one, by the older version.
    private static let upgrades: [Int: String] = [
        // Keys of the table `search` had other hashes; the next start fills it again.
        1: """
        \(RecordTable.sharing)
        drop index if exists record_received;
        delete from search;
        update head set indexed = 0
        """
    ]

    private static let creation = """
        \(RecordTable.creation)
        create index record_time on record (received_at) where seq % 1024 < 16;
        create index record_rejected on record (seq, reason) where status <> 200;
        create index record_deleted on record (seq) where deleted is not null;
        create table search (
            id integer primary key,
            part integer not null,
            first integer not null,
            last integer not null,
            entries blob not null
        );
        create index search_part on search (part, last);
        create table step (
            seq integer primary key,
            push integer not null,
            position integer not null,
            at integer not null,
            event text not null,
            delivery text,
            facts blob not null
        );
        create index step_push on step (push);
        create table fan_out (push integer primary key, data blob not null);
        create table change (
            position integer primary key,
            system integer not null,
            world integer not null,
            kind text not null,
            data blob not null,
            pushes integer not null,
            first_push integer,
            last_push integer
        );
        create table snapshot (
            position integer primary key,
            first_push integer not null,
            digest text not null,
            data blob not null
        );
        create table property (name text primary key, value text not null) without rowid;
        create table head (
            id integer primary key check (id = 1),
            pushes integer not null,
            cleared integer not null,
            indexed integer not null
        );
        insert into head values (1, 0, 0, 0);
        """

    /// Creates the tables of a new file, upgrades those of an older version, and creates indexes that are missing.
    ///
    /// A new file gets its page size and vacuum mode first, which cannot be changed later.
    static func create(in database: Database) throws(StoreError) {
        if try isOlder(database) {
            try upgrade(database)
        } else if try isNew(database) {
            // Larger pages than the default: a page holds several pushes, so a transaction writes fewer pages.
            try database.execute("pragma page_size = 8192; pragma auto_vacuum = incremental; pragma journal_mode = wal")
            try database.transaction { () throws(StoreError) in
                try database.execute(creation)
                try database.execute("pragma application_id = \(applicationID); pragma user_version = \(version)")
            }
        }
        try restoreIndexes(of: database)
    }

    /// Returns whether the tables of a database have an older version that can be upgraded.
    static func isOlder(_ database: Database) throws(StoreError) -> Bool {
        guard try database.number("pragma application_id") == applicationID else { return false }
        return upgrades[Int(try database.number("pragma user_version") ?? 0)] != nil
    }

    /// Upgrades the tables of an older version, unless the result is not whole: then they stay as they are.
    private static func upgrade(_ database: Database) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            while let seen = try database.number("pragma user_version"), let upgrade = upgrades[Int(seen)] {
                try database.execute("\(upgrade); pragma user_version = \(seen + 1)")
            }
            _ = try isNew(database)
        }
    }

    /// Creates indexes that are missing or different: they contain only what the tables do.
    private static func restoreIndexes(of database: Database) throws(StoreError) {
        let lacking = try lackingIndexes(of: database)
        guard !lacking.isEmpty else { return }
        try database.transaction { () throws(StoreError) in
            for (name, sql) in lacking {
                try database.execute("drop index if exists \(name)")
                try database.execute(sql)
            }
        }
    }

    /// The indexes that a database lacks or has differently, with the statements that create them.
    static func lackingIndexes(of database: Database) throws(StoreError) -> [(name: String, sql: String)] {
        let found = try indexes(of: database)
        return try contents.get().indexes.filter { found[$0.key] != $0.value }.map { ($0.key, $0.value) }.sorted {
            $0.name < $1.name
        }
    }

    /// Returns whether a database has no tables yet.
    ///
    /// Throws if the database is not one of a world, if its tables have another version, or if one of them or a column
    /// is missing.
    static func isNew(_ database: Database) throws(StoreError) -> Bool {
        let seen = Int(try database.number("pragma user_version") ?? 0)
        let application = try database.number("pragma application_id") ?? 0
        let isEmpty = try database.number("select count(*) from sqlite_schema") == 0
        if seen == 0, application == 0, isEmpty { return true }
        guard application == applicationID else {
            let fix = "choose another directory"
            throw StoreError(.damaged, "\(database.path) is not a database of mock-apns; \(fix)")
        }
        guard seen > 0 else {
            let fix = "restore a copy of the file"
            let problem = "invalid user_version \(seen): expected \(version)"
            throw StoreError(.damaged, "\(database.path) is damaged: \(problem); \(fix)")
        }
        guard seen == version else {
            throw StoreError(database.path, version: seen, expected: version, other: "directory")
        }
        let expected = try contents.get()
        var lacking = expected.tables.subtracting(try tables(of: database))
        if lacking.isEmpty { lacking = expected.columns.subtracting(try columns(of: database)) }
        if let missing = lacking.min() {
            let fix = "restore a copy of the file"
            throw StoreError(.damaged, "\(database.path) is damaged: the \(missing) is missing; \(fix)")
        }
        return false
    }

    /// The tables and views of a database, such as `table record`.
    private static func tables(of database: Database) throws(StoreError) -> Set<String> {
        let query = "select type || ' ' || name from sqlite_schema where type in ('table', 'view')"
        return Set(try database.rows(query) { row in row.text(0) })
    }

    /// The columns of the tables and views of a database, such as `column body of the table record`.
    private static func columns(of database: Database) throws(StoreError) -> Set<String> {
        let query = """
            select 'column ' || part.name || ' of the ' || owner.type || ' ' || owner.name
            from sqlite_schema as owner, pragma_table_info(owner.name) as part where owner.type in ('table', 'view')
            """
        return Set(try database.rows(query) { row in row.text(0) })
    }

    /// The statements that have created the indexes of a database, by name.
    private static func indexes(of database: Database) throws(StoreError) -> [String: String] {
        let query = "select name, sql from sqlite_schema where type = 'index' and sql is not null"
        let found = try database.rows(query) { row in (row.text(0), row.text(1)) }
        return Dictionary(found) { first, _ in first }
    }

    /// What the tables consist of.
    private struct Contents {
        var tables: Set<String>
        var columns: Set<String>
        var indexes: [String: String]
    }

    private static let contents = Result<Contents, StoreError> { () throws(StoreError) in
        let scratch = try Database(":memory:", .create)
        try scratch.execute(creation)
        return Contents(
            tables: try tables(of: scratch), columns: try columns(of: scratch), indexes: try indexes(of: scratch))
    }
}
