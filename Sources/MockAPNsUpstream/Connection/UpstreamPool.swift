package import NIOCore
internal import NIOPosix

/// Connections to one upstream, with a limit on what waits for them.
///
/// A connection that the server ends is replaced when the next request needs it.
package actor UpstreamPool {
    /// The most that a pool has.
    package struct Limits: Sendable {
        package var connections = 4
        /// The requests on all connections and those that wait for one.
        package var requests = 10_000

        package init() {}
    }

    private let address: UpstreamAddress
    private let options: UpstreamOptions
    private let limits: Limits
    private let group: any EventLoopGroup
    private var connections: [UpstreamConnection] = []
    /// How many requests each connection has, in the order of `connections`.
    private var loads: [Int] = []
    /// The connection that is being opened, for everyone who waits for it.
    private var opening: Task<Result<UpstreamConnection, UpstreamError>, Never>?
    private var requests = 0
    private var isClosed = false

    package init(
        _ address: UpstreamAddress, _ options: UpstreamOptions = UpstreamOptions(), limits: Limits = Limits(),
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) { (self.address, self.options, self.limits, self.group) = (address, options, limits, group) }

    /// Sends a request on one of the connections, and once more on another if the first certainly did not process it.
    ///
    /// - Throws: `UpstreamError`; `queueFull` if the pool has too many requests.
    package func send(_ request: UpstreamRequest) async throws(UpstreamError) -> UpstreamAnswer {
        guard !isClosed else { throw UpstreamError(.closed, "the pool is closed", isUnprocessed: true) }
        guard requests < limits.requests else {
            throw UpstreamError(
                .queueFull, "\(requests) requests wait for \(address)", expected: "at most \(limits.requests)",
                isUnprocessed: true)
        }
        requests += 1
        defer { requests -= 1 }
        do throws(UpstreamError) { return try await attempt(request, avoiding: nil).get() } catch {
            guard Self.mayRetry(error), !isClosed, !Task.isCancelled else { throw error }
        }
        var answer = try await attempt(request, avoiding: latestFailure).get()
        answer.attempts = 2
        return answer
    }

    /// The connection on which a request failed last; a retry uses another one.
    private var latestFailure: UpstreamConnection?

    /// What a further attempt on another connection can cure.
    private static func mayRetry(_ error: UpstreamError) -> Bool {
        switch error.code {
        case .refused, .goAway, .closed: error.isUnprocessed
        default: false
        }
    }

    private func attempt(
        _ request: UpstreamRequest, avoiding failed: UpstreamConnection?
    ) async -> Result<UpstreamAnswer, UpstreamError> {
        do throws(UpstreamError) {
            if let failed { remove(failed) }
            let connection = try await connection()
            change(connection, by: 1)
            defer { change(connection, by: -1) }
            do throws(UpstreamError) { return .success(try await connection.send(request)) } catch {
                latestFailure = connection
                if await !connection.room.isOpen { remove(connection) }
                throw error
            }
        } catch { return .failure(error) }
    }

    /// The connection with the fewest requests; a further one if all are full.
    private func connection() async throws(UpstreamError) -> UpstreamConnection {
        for connection in connections where await !connection.room.isOpen { remove(connection) }
        let best = zip(connections, loads).min { $0.1 < $1.1 }
        if let best {
            let limit = await best.0.room.limit
            if best.1 < limit || connections.count >= limits.connections { return best.0 }
        }
        if opening == nil {
            opening = Task { [address, options, group] in
                do throws(UpstreamError) { return .success(try await .open(address, options, on: group)) } catch {
                    return .failure(error)
                }
            }
        }
        guard let task = opening else { return try await UpstreamConnection.open(address, options, on: group) }
        let result = await task.value
        guard !isClosed else {
            // It may have been opened in spite of being cancelled.
            if case .success(let made) = result { await made.close() }
            throw UpstreamError(.closed, "the pool is closed", isUnprocessed: true)
        }
        if opening == task {
            opening = nil
            if case .success(let made) = result {
                connections.append(made)
                loads.append(0)
            }
        }
        // A server that takes no further connection still has those that are open.
        if case .failure = result, let open = zip(connections, loads).min(by: { $0.1 < $1.1 }) { return open.0 }
        return try result.get()
    }

    private func change(_ connection: UpstreamConnection, by count: Int) {
        if let place = connections.firstIndex(where: { $0 === connection }) { loads[place] += count }
    }

    private func remove(_ connection: UpstreamConnection) {
        guard let place = connections.firstIndex(where: { $0 === connection }) else { return }
        connections.remove(at: place)
        loads.remove(at: place)
    }

    /// What the servers of the open connections have sent besides responses.
    package func facts() async -> [UpstreamFacts] {
        var facts: [UpstreamFacts] = []
        for connection in connections { facts.append(await connection.facts) }
        return facts
    }

    /// Closes all connections, and one that is being opened; their requests fail.
    package func close() async {
        isClosed = true
        opening?.cancel()
        let open = connections
        connections = []
        loads = []
        for connection in open { await connection.close() }
    }
}
