internal import MockAPNsLog

/// The tables of the schema `mock_apns`, as `docs/data.md` describes them.
enum Schema {
    /// The version of the tables, which changes with them and with what their columns have.
    static let version = 1

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
        """,
        """
        create table record (
            namespace bigint not null,
            seq bigint not null,
            position bigint not null,
            received_at timestamptz not null,
            answered_at timestamptz not null,
            id text collate "C",
            topic text collate "C",
            token text collate "C",
            push_type text collate "C",
            environment text collate "C",
            status smallint not null,
            reason text collate "C",
            delivery text collate "C",
            first_delivery text collate "C",
            deleted bigint,
            headers text collate "C" not null,
            body text collate "C",
            body_bytes bytea,
            facts bytea not null,
            primary key (namespace, seq)
        )
        """, "create index record_rejected on record (namespace, seq, reason) where status <> 200",
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
        "insert into lease values (1, '', now())",
        """
        create view push as
            select namespace.name as namespace, seq, received_at as time, received_at, answered_at, record.id, topic,
                token, push_type, environment, status, reason, delivery, headers, body, body_bytes, facts, position
            from record join namespace on namespace.id = record.namespace
            where deleted is null and seq > cleared
        """,
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

    /// Creates the tables unless they exist.
    static func create(_ connection: Connection) throws(StoreError) {
        guard try !exists(connection) else { return }
        try connection.transaction { () throws(StoreError) in
            try connection.run("select pg_advisory_xact_lock(\(lock))")
            // Look again: another server may have created them in the meantime.
            guard try !exists(connection) else { return }
            try connection.run("create schema if not exists mock_apns")
            for statement in creation { try connection.run(statement) }
            try createSearch(connection)
        }
    }

    /// Returns whether there are tables; throws `.otherVersion` if they are not of this version.
    static func exists(_ connection: Connection) throws(StoreError) -> Bool {
        guard try connection.run("select to_regclass('mock_apns.counter') is not null").first?.integer(0) == 1 else {
            return false
        }
        let seen = Int(try connection.run("select value from counter where name = 'version'").first?.integer(0) ?? 0)
        guard seen == version else {
            throw StoreError(connection.server.place, version: seen, expected: version, other: "database")
        }
        return true
    }
}
