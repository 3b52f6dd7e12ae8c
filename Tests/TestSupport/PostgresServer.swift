import Foundation

/// A PostgreSQL server for tests, with a database for each test.
///
/// It ends with this process, however that ends: its shell waits for the end of its input.
public final class PostgresServer: @unchecked Sendable {
    /// Why the server could not be started.
    public struct StartFailure: Error, CustomStringConvertible {
        /// What was seen, and how to fix it.
        public let description: String

        /// Creates the reason from a description.
        public init(description: String) { self.description = description }
    }

    private static let started = Result { try PostgresServer() }

    /// The server of this process, started at its first use.
    ///
    /// - Throws: `StartFailure` when PostgreSQL is not installed or does not start; tests then fail.
    public static func shared() throws -> PostgresServer { try started.get() }

    /// The port on 127.0.0.1.
    public let port: UInt16
    /// `@unchecked Sendable`: used only by `init` and `stop`, which a test calls for its own server.
    private let program: RunningProgram
    private let path: String
    private let programs: String

    /// Initializes a server in a new directory and starts it.
    public init() throws {
        programs = try Self.findPrograms()
        let name = "pg-\(UUID().uuidString.prefix(8))"
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        port = UInt16(try Socket.listening().port)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let script = """
            set -e
            path=$0 programs=$1 port=$2
            trap 'rm -rf "$path"/*' EXIT
            "$programs/initdb" -D "$path/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$path/log" 2>&1 ||
                { cat "$path/log"; exit 1; }
            printf '%s\\n' 'host all guarded all scram-sha-256' 'local all all trust' 'host all all all trust' \
                >"$path/data/pg_hba.conf"
            "$programs/pg_ctl" -D "$path/data" -l "$path/log" -w -s -o "-c port=$port -c listen_addresses=127.0.0.1 \
                -c unix_socket_directories=$path -c fsync=off -c max_connections=200 -c shared_buffers=64MB" start \
                </dev/null >&2 || { cat "$path/log"; exit 1; }
            echo ready
            read -r _ || true
            "$programs/pg_ctl" -D "$path/data" -m immediate -s stop
            """
        program = try RunningProgram(try Self.unprivileged(path) + ["sh", "-c", script, path, programs, "\(port)"])
        let line = program.outputLine()
        guard line == "ready" else {
            let outcome = program.finish()
            let rest = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
            throw StartFailure(description: "PostgreSQL does not start: \(line)\n\(rest)")
        }
    }

    /// Ends the server at once, as a crash does, and deletes its files.
    public func stop() {
        _ = program.finish()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The process number of the server.
    public func processIdentifier() throws -> Int32 {
        let text = try String(contentsOfFile: "\(path)/data/postmaster.pid", encoding: .utf8)
        return text.split(separator: "\n").first.flatMap { Int32($0) } ?? 0
    }

    /// Creates an empty database, and returns its URL.
    public func database() throws -> String {
        let name = "test_\(UUID().uuidString.prefix(12).lowercased().replacing("-", with: "_"))"
        try query("create database \(name)")
        return "postgresql://postgres@127.0.0.1:\(port)/\(name)"
    }

    /// Runs statements with `psql`, and returns what it prints: rows as lines, columns with tabs between them.
    @discardableResult public func query(_ sql: String, in url: String? = nil) throws -> String {
        let url = url ?? "postgresql://postgres@127.0.0.1:\(port)/postgres"
        let outcome = try psql(["-qAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql], in: url)
        guard outcome.status == 0 else {
            let seen = String(decoding: outcome.errors, as: UTF8.self)
            throw StartFailure(description: "psql: \(sql): \(seen)")
        }
        return String(decoding: outcome.output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Runs `psql` for a database.
    public func psql(_ arguments: [String], in url: String) throws -> RunningProgram.Outcome {
        try RunningProgram.run(["\(programs)/psql", "-X"] + arguments + [url])
    }

    private static func findPrograms() throws -> String {
        let search = """
            for directory in "$(pg_config --bindir 2>/dev/null)" /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin
            do [ -x "$directory/initdb" ] && found=$directory; done; printf %s "$found"
            """
        let found = try RunningProgram.run(["sh", "-c", search])
        guard !found.output.isEmpty else {
            throw StartFailure(description: "PostgreSQL is not installed: run scripts/setup test")
        }
        return String(decoding: found.output, as: UTF8.self)
    }

    /// PostgreSQL refuses to run as root: the start of a command that runs as another user, who owns the directory.
    private static func unprivileged(_ path: String) throws -> [String] {
        guard getuid() == 0 else { return [] }
        let user = getpwnam("postgres") ?? getpwnam("nobody")
        guard let user, chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
            throw StartFailure(description: "no user for PostgreSQL: expected postgres or nobody")
        }
        let (id, group) = (user.pointee.pw_uid, user.pointee.pw_gid)
        return ["setpriv", "--reuid=\(id)", "--regid=\(group)", "--clear-groups"]
    }
}
