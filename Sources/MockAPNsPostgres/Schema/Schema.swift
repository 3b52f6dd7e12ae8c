internal import MockAPNsLog

/// The tables of the schema `mock_apns`, as `docs/data.md` describes them.
enum Schema {
    /// The version of the tables, which changes with them and with what their columns have.
    static let version = 2

    /// The statements that change tables of an older version into those of the next one, by the older version.
    private static let upgrades: [Int: [String]] = [
        1: [RecordTable.sharing, RecordTable.headerCreation, RecordTable.view]
    ]

    /// The number of the advisory lock with which one server at a time creates the tables: `APNs` in ASCII.
    private static let lock = 0x4150_4e73

    private static let creation = [
        "create table counter (name text primary key, value bigint not null)",
        "insert into counter values ('version', \(version)), ('trimmed', 0), ('namespaces', 0), ('replicas', 0)",
        // The table has one row, which a turn locks.
        "create table head (id smallint primary key check (id = 1), position bigint not null)",
        "insert into head values (1, 0)",
        """
        create table replica (
            number bigint primary key,
            name text not null,
            address text not null,
            position bigint not null,
            version text not null,
            turn bigint not null default 0,
            seen_at timestamptz not null default now()
        )
        """,
        """
        create table namespace (
            id bigint generated always as identity primary key,
            name text not null unique,
            properties jsonb not null default '{}',
            pushes bigint not null default 0,
            bytes bigint not null default 0,
            cleared bigint not null default 0
        )
        """,
        """
        create table removed_namespace (
            id bigint primary key,
            removed_at timestamptz not null default now()
        )
        """,
        """
        create table change (
            position bigint primary key,
            namespace bigint not null,
            world_position bigint not null,
            system bigint not null,
            world bigint not null,
            kind text not null,
            data bytea not null,
            pushes bigint not null,
            first_push bigint,
            last_push bigint,
            unique (namespace, world_position)
        )
        """, RecordTable.creation, RecordTable.headerCreation,
        "create index record_rejected on record (namespace, seq, reason) where status <> 200",
        "create index record_deleted on record (namespace, seq) where deleted is not null",
        """
        create table step (
            namespace bigint not null,
            seq bigint not null,
            push bigint not null,
            position bigint not null,
            at timestamptz not null,
            event text not null,
            delivery text,
            facts bytea not null,
            primary key (namespace, seq)
        )
        """, "create index step_push on step (namespace, push, seq)",
        """
        create table fan_out (
            namespace bigint not null,
            push bigint not null,
            data bytea not null,
            primary key (namespace, push)
        )
        """,
        """
        create table snapshot (
            namespace bigint not null,
            position bigint not null,
            first_push bigint not null,
            digest text not null,
            data bytea not null,
            primary key (namespace, position)
        )
        """,
        "create table lease (id smallint primary key check (id = 1), holder text not null, until timestamptz not null)",
        "insert into lease values (1, '', now())", RecordTable.view,
        // For queries by people: a cast would fail at the first body that is not JSON.
        """
        create function json_body(body text) returns jsonb language plpgsql immutable as '
            begin return body::jsonb; exception when others then return null; end'
        """,
    ]

    /// The name of the BRIN index for searches, if the engine supports BRIN.
    static let search = "record_search"

    /// A BRIN index, which has a few bytes for many rows.
    ///
    /// Turns do not write to it: `PostgresStore.tidy` summarizes new rows. Writing to a random place in each of four B-trees
    /// took most of the time of a turn.
    private static let searchByBlocks = [
        """
        create index \(search) on record using brin (received_at, token text_bloom_ops, topic text_bloom_ops,
            (lower(id)) text_bloom_ops) with (pages_per_range = 32)
        """
    ]

    /// B-trees for engines without BRIN.
    private static let searchByTrees = [
        "create index record_received on record (namespace, received_at)",
        "create index record_token on record (namespace, token, seq) where token is not null",
        "create index record_topic on record (namespace, topic, seq) where topic is not null",
        "create index record_id on record (namespace, lower(id)) where id is not null",
    ]

    private static func createSearch(_ connection: Connection) throws(StoreError) {
        try connection.run("savepoint search")
        do throws(StoreError) { for statement in searchByBlocks { try connection.run(statement) } } catch {
            try connection.run("rollback to savepoint search")
            for statement in searchByTrees { try connection.run(statement) }
        }
    }

    /// Creates the tables unless they exist, and upgrades those of an older version.
    ///
    /// Throws `.inUse` if servers of the older version use them, and `.otherVersion` if they cannot be upgraded.
    static func create(_ connection: Connection) throws(StoreError) {
        guard try seenVersion(connection) != version else { return }
        try connection.transaction { () throws(StoreError) in
            try connection.run("select pg_advisory_xact_lock(\(lock))")
            // Look again: another server may have created them in the meantime.
            guard let seen = try seenVersion(connection) else {
                try connection.run("create schema if not exists mock_apns")
                for statement in creation { try connection.run(statement) }
                return try createSearch(connection)
            }
            try upgrade(from: seen, connection)
        }
    }

    private static func upgrade(from older: Int, _ connection: Connection) throws(StoreError) {
        var seen = older
        guard seen != version else { return }
        guard upgrades[seen] != nil else { throw otherVersion(seen, connection) }
        let users = try connection.run(Self.users).rows.map { $0.text(0) }
        guard users.isEmpty else {
            let problem = "its tables have version \(seen), expected \(version)"
            let fix = "stop these servers, and run this again to upgrade the tables"
            let place = connection.server.place
            throw StoreError(.inUse, "\(place) is in use by \(users.joined(separator: ", ")): \(problem); \(fix)")
        }
        while let upgrade = upgrades[seen] {
            for statement in upgrade { try connection.run(statement) }
            seen += 1
        }
        try connection.run("update counter set value = $1 where name = 'version'", [.integer(Int64(seen))])
    }

    /// Selects the names of the servers that use the tables.
    static let users = "select name from replica where seen_at > now() - interval '10 seconds' order by number"

    /// Returns whether there are tables.
    static func isThere(_ connection: Connection) throws(StoreError) -> Bool { try seenVersion(connection) != nil }

    /// Returns the version of the tables; `nil` if there are none.
    private static func seenVersion(_ connection: Connection) throws(StoreError) -> Int? {
        guard try connection.run("select to_regclass('mock_apns.counter') is not null").first?.integer(0) == 1 else {
            return nil
        }
        return Int(try connection.run("select value from counter where name = 'version'").first?.integer(0) ?? 0)
    }

    private static func otherVersion(_ seen: Int, _ connection: Connection) -> StoreError {
        StoreError(connection.server.place, version: seen, expected: version, other: "database")
    }
}
