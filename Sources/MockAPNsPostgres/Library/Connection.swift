internal import CMockAPNsPostgres
internal import MockAPNsLog

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A statement with its parameters.
struct Command {
    var sql: String
    var values: [Value]
    /// The rows of a statement `copy … from stdin`; `nil` for others.
    var rows: CopyRows?

    init(_ sql: String, _ values: [Value] = []) { (self.sql, self.values) = (sql, values) }

    /// A statement `copy … from stdin`, which can run in a transaction only.
    init(_ sql: String, copying rows: CopyRows) { (self.sql, values, self.rows) = (sql, [], rows) }
}

/// A connection to a database, opened at the first use and again after it was lost.
///
/// Every call has a timeout.
///
/// `@unchecked Sendable`: any thread may use it, but only one at a time; the owner ensures this.
final class Connection: @unchecked Sendable {
    /// The timeouts of a connection, in seconds.
    struct Limits: Sendable {
        /// How long a call waits for its results.
        var call: Double = 2
        /// How long a statement waits for a lock.
        var lock: Double = 1
        /// How long a transaction may be idle before the server ends it.
        var idle: Double = 10
    }

    let server: ServerAddress
    private let limits: Limits
    /// `nil` while disconnected.
    private var handle: OpaquePointer?
    /// The names of the statements that this connection has prepared.
    private var prepared: [String: String] = [:]
    /// The index of the host that was connected last.
    private var host = 0
    /// Whether a transaction is open; stays true after the connection was lost, until `rollBack`.
    private(set) var isInTransaction = false
    /// What is called every few milliseconds while `begin` waits for its results.
    private var whileWaiting: (() -> Void)?

    init(_ server: ServerAddress, _ limits: Limits) {
        self.server = server
        self.limits = limits
    }

    deinit { disconnect() }

    /// Ends the connection; the next use reconnects.
    func disconnect() {
        if let handle { PQfinish(handle) }
        handle = nil
        prepared = [:]
    }

    // MARK: Statements

    /// Runs a statement.
    @discardableResult func run(_ sql: String, _ values: [Value] = []) throws(StoreError) -> QueryResult {
        try run([Command(sql, values)])[0]
    }

    /// Runs statements in one round trip, and stops at the first that fails.
    ///
    /// A statement `copy` takes two round trips, and what comes after it another one.
    /// Outside a transaction, either all or none take effect.
    @discardableResult func run(_ commands: [Command]) throws(StoreError) -> [QueryResult] {
        guard isInTransaction else { return try exchange(commands, on: connected()) }
        // Never reconnect here: the remaining statements would run outside the transaction.
        guard let handle else {
            throw StoreError(.failed, "the connection to \(server.place) was lost in a transaction")
        }
        return try exchange(commands, on: handle)
    }

    /// Begins a transaction and runs its first statements.
    ///
    /// `whileWaiting` is called every few milliseconds until they have results; it must not use this connection.
    @discardableResult func begin(
        _ commands: [Command] = [], whileWaiting: (() -> Void)? = nil
    ) throws(StoreError) -> [QueryResult] {
        precondition(!isInTransaction, "transactions do not nest")
        self.whileWaiting = whileWaiting
        defer { self.whileWaiting = nil }
        do throws(StoreError) {
            let results = try run([Command("begin")] + commands)
            isInTransaction = true
            return Array(results.dropFirst())
        } catch {
            isInTransaction = true
            rollBack()
            throw error
        }
    }

    /// Runs the last statements of a transaction and commits; after an error, the outcome is unknown.
    func commit(_ commands: [Command] = []) throws(StoreError) {
        do throws(StoreError) {
            try run(commands + [Command("commit")])
            isInTransaction = false
        } catch {
            rollBack()
            throw error
        }
    }

    /// Rolls back the transaction; does nothing without one.
    func rollBack() {
        guard isInTransaction else { return }
        isInTransaction = false
        guard let handle, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        do throws(StoreError) { try run("rollback") } catch {
            // The server rolls back when the connection ends.
            disconnect()
        }
    }

    /// Runs `body` in a transaction: all of its changes take effect, or none.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try begin()
        let result: Result
        do throws(StoreError) { result = try body() } catch {
            rollBack()
            throw error
        }
        try commit()
        return result
    }

    // MARK: The connection

    private func connected() throws(StoreError) -> OpaquePointer {
        if let handle {
            // Reads pending input, which includes the end of the connection if the server has stopped.
            while self.handle != nil, wait(handle, CInt(POLLIN), until: .now) {
                if PQconsumeInput(handle) == 0 { disconnect() }
            }
            if self.handle != nil { return handle }
        }
        var failures: [StoreError] = []
        for offset in server.hosts.indices {
            let index = (host + offset) % server.hosts.count
            do throws(StoreError) {
                let new = try connect(to: server.hosts[index])
                handle = new
                host = index
                let settings = [
                    "search_path = mock_apns", "statement_timeout = \(Int(limits.call * 1_000))",
                    "lock_timeout = \(Int(limits.lock * 1_000))",
                    "idle_in_transaction_session_timeout = \(Int(limits.idle * 1_000))",
                    "default_transaction_isolation = 'read committed'",
                ]
                _ = try exchange(settings.map { Command("set \($0)") }, on: new)
                return new
            } catch {
                disconnect()
                failures.append(error)
            }
        }
        throw failures.count == 1
            ? failures[0] : StoreError(failures[0].code, failures.map(\.description).joined(separator: "; "))
    }

    private func connect(to host: ServerAddress.Host) throws(StoreError) -> OpaquePointer {
        let parameters = server.parameters(host, timeout: limits.call)
        // libpq copies these strings.
        let keywords = parameters.map { strdup($0.keyword) }
        let values = parameters.map { strdup($0.value) }
        defer { for text in keywords + values { free(text) } }
        let started = PQconnectStartParams(
            keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard let new = started else { throw StoreError(.failed, "cannot use \(server.place): not enough memory") }
        // Without this, connection errors have no SQLSTATE.
        PQsetErrorVerbosity(new, PQERRORS_VERBOSE)
        let deadline = ContinuousClock.now + .seconds(server.connectTimeout)
        var step = PQstatus(new) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while step == PGRES_POLLING_READING || step == PGRES_POLLING_WRITING {
            let event = step == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard wait(new, CInt(event), until: deadline) else {
                let problem = silence(of: new, limit: server.connectTimeout)
                PQfinish(new)
                throw problem
            }
            step = PQconnectPoll(new)
        }
        guard step == PGRES_POLLING_OK else {
            defer { PQfinish(new) }
            throw StoreError(connecting: String(cString: PQerrorMessage(new)), place: server.place)
        }
        PQsetNoticeProcessor(new, { _, _ in }, nil)
        guard PQsetnonblocking(new, 1) == 0, PQenterPipelineMode(new) == 1 else {
            defer { PQfinish(new) }
            throw StoreError(connecting: String(cString: PQerrorMessage(new)), place: server.place)
        }
        return new
    }

    private static func name(of handle: OpaquePointer) -> String {
        let host = PQhost(handle).map { String(cString: $0) } ?? ""
        let port = PQport(handle).map { String(cString: $0) } ?? ""
        return "the server \(host), port \(port)"
    }

    /// The error for a server that has not answered in time, or whose answer is not awaited any more.
    private func silence(of handle: OpaquePointer, limit: Double) -> StoreError {
        let name = Self.name(of: handle)
        let problem =
            server.interruption.hasBegun
            ? "\(name) had not answered when this server stopped" : "\(name) did not answer within \(limit) s"
        return StoreError(postgres: "", problem, place: server.place)
    }

    /// How often a wait checks whether it is interrupted, in milliseconds.
    private static let slice: CInt = 50
    /// How often it calls `whileWaiting`, in milliseconds.
    private static let shortSlice: CInt = 5

    /// Waits for a socket event, and returns whether it came in time and before an interruption.
    private func wait(_ handle: OpaquePointer, _ events: CInt, until deadline: ContinuousClock.Instant) -> Bool {
        var entry = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
        while true {
            let left = max(.zero, deadline - .now)
            // Round up: otherwise the last fraction of a millisecond is a busy loop.
            let milliseconds = left == .zero ? 0 : CInt(left / .milliseconds(1)) + 1
            let count = poll(&entry, 1, min(milliseconds, whileWaiting == nil ? Self.slice : Self.shortSlice))
            if count > 0 { return true }
            // Other errors are reported when the socket is used.
            if count < 0, errno != EINTR { return true }
            if count == 0, server.interruption.hasBegun || ContinuousClock.now >= deadline { return false }
            if count == 0 { whileWaiting?() }
        }
    }

    // MARK: An exchange

    private func exchange(_ commands: [Command], on handle: OpaquePointer) throws(StoreError) -> [QueryResult] {
        var results: [QueryResult] = []
        var rest = commands[...]
        while let place = rest.firstIndex(where: { $0.rows != nil }) {
            if place > rest.startIndex { results += try pipeline(rest[..<place], on: handle) }
            results.append(try copy(rest[place], on: handle))
            rest = rest[(place + 1)...]
        }
        if !rest.isEmpty { results += try pipeline(rest, on: handle) }
        return results
    }

    private func pipeline(_ commands: ArraySlice<Command>, on handle: OpaquePointer) throws(StoreError) -> [QueryResult]
    {
        let deadline = ContinuousClock.now + .seconds(limits.call)
        // The statements prepared in this exchange, by the index of their result.
        var preparations: [Int: String] = [:]
        var new: [String: String] = [:]
        var count = 0
        for command in commands {
            if prepared[command.sql] == nil, new[command.sql] == nil {
                let name = "s\(prepared.count + new.count)"
                new[command.sql] = name
                let types = command.values.map(\.type)
                guard PQsendPrepare(handle, name, command.sql, CInt(types.count), types) == 1 else {
                    throw lost(handle)
                }
                preparations[count] = command.sql
                count += 1
            }
            guard send(command, prepared[command.sql] ?? new[command.sql] ?? "", on: handle) else { throw lost(handle) }
            count += 1
        }
        guard PQpipelineSync(handle) == 1 else { throw lost(handle) }

        var results: [QueryResult] = []
        var failure: StoreError?
        for index in 0..<count {
            while let result = try next(of: handle, deadline, failure) {
                switch PQresultStatus(result) {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                    let kept = QueryResult(result)
                    if let sql = preparations[index] { prepared[sql] = new[sql] } else { results.append(kept) }
                case PGRES_PIPELINE_ABORTED: PQclear(result)
                default:
                    failure = failure ?? error(of: result)
                    PQclear(result)
                }
            }
        }
        // The result that marks the end of the pipeline.
        if let end = try next(of: handle, deadline, failure) { PQclear(end) }
        if let failure { throw failure }
        return results
    }

    /// Runs a statement `copy`, which libpq does not allow in a pipeline.
    private func copy(_ command: Command, on handle: OpaquePointer) throws(StoreError) -> QueryResult {
        let deadline = ContinuousClock.now + .seconds(limits.call)
        guard PQexitPipelineMode(handle) == 1, PQsendQuery(handle, command.sql) == 1 else { throw lost(handle) }
        var failure: StoreError?
        var found: QueryResult?
        while let result = try next(of: handle, deadline, failure) {
            switch PQresultStatus(result) {
            case PGRES_COPY_IN:
                PQclear(result)
                for part in [command.rows?.bytes ?? [], CopyRows.end] { try put(part, on: handle, deadline) }
                guard PQputCopyEnd(handle, nil) == 1 else { throw lost(handle) }
            case PGRES_COMMAND_OK: found = QueryResult(result)
            default:
                failure = failure ?? error(of: result)
                PQclear(result)
            }
        }
        guard PQenterPipelineMode(handle) == 1 else { throw lost(handle, failure) }
        guard let found, failure == nil else { throw failure ?? lost(handle) }
        return found
    }

    /// Sends a part of the rows of a statement `copy`.
    private func put(_ bytes: [UInt8], on handle: OpaquePointer, _ deadline: ContinuousClock.Instant) throws(StoreError)
    {
        while true {
            let outcome = bytes.withUnsafeBytes {
                PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), CInt($0.count))
            }
            if outcome == 1 { return }
            guard outcome == 0 else { throw lost(handle) }
            // What was sent before has to leave first.
            guard wait(handle, CInt(POLLOUT), until: deadline) else {
                let problem = silence(of: handle, limit: limits.call)
                disconnect()
                throw problem
            }
            guard PQflush(handle) >= 0 else { throw lost(handle) }
        }
    }

    private func send(_ command: Command, _ name: String, on handle: OpaquePointer) -> Bool {
        var bytes: [UInt8] = []
        var ranges: [Range<Int>?] = []
        for value in command.values {
            let start = bytes.count
            ranges.append(value.append(to: &bytes) ? start..<bytes.count : nil)
        }
        bytes.append(0)
        return bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return PQsendQueryPrepared(
                handle, name, CInt(ranges.count),
                ranges.map { range in range.flatMap { start?.advanced(by: $0.lowerBound) } },
                ranges.map { CInt($0?.count ?? 0) }, ranges.map { _ in 1 }, 1) == 1
        }
    }

    /// Waits for the next result of the current statement; `nil` after its last one.
    private func next(
        of handle: OpaquePointer, _ deadline: ContinuousClock.Instant, _ failure: StoreError?
    ) throws(StoreError) -> OpaquePointer? {
        while PQisBusy(handle) != 0 {
            let rest = PQflush(handle)
            guard rest >= 0 else { throw lost(handle, failure) }
            guard wait(handle, CInt(rest > 0 ? POLLIN | POLLOUT : POLLIN), until: deadline) else {
                let problem = silence(of: handle, limit: limits.call)
                disconnect()
                throw failure ?? problem
            }
            guard PQconsumeInput(handle) == 1 else { throw lost(handle, failure) }
        }
        guard PQstatus(handle) == CONNECTION_OK else { throw lost(handle, failure) }
        return PQgetResult(handle)
    }

    /// Disconnects, and returns the error: `failure` if there was one, or else that of the connection.
    private func lost(_ handle: OpaquePointer, _ failure: StoreError? = nil) -> StoreError {
        let message = String(cString: PQerrorMessage(handle))
        disconnect()
        return failure ?? StoreError(connecting: message, place: server.place)
    }

    private func error(of result: OpaquePointer) -> StoreError {
        func field(_ code: UnicodeScalar) -> String {
            PQresultErrorField(result, CInt(code.value)).map { String(cString: $0) } ?? ""
        }
        let detail = field("D")
        let message = detail.isEmpty ? field("M") : "\(field("M")): \(detail)"
        return StoreError(postgres: field("C"), message, place: server.place)
    }
}
