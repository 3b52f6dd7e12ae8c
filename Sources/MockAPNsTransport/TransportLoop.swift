internal import NIOCore

/// The state shared by the connections of an event loop: memory, streams, the responder factory and the
/// timer.
///
/// Used only on its loop.
final class TransportLoop {
    /// Large enough for the plaintext of a TLS record, and for a batch of responses.
    static let scratchSize = 65_536
    /// How long a connection may take to end after its grace period, so that its last output reaches the
    /// client.
    static let lastWordsTime = TimeAmount.seconds(1)

    let options: TransportOptions
    let factory: any ResponderFactory
    let streams = H2StreamPool()
    /// Decrypted input for nghttp2.
    let inbound = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_640, alignment: 16)
    /// Frames for TLS.
    let outbound = UnsafeMutableRawBufferPointer.allocate(byteCount: scratchSize, alignment: 16)

    private let eventLoop: any EventLoop
    private var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    private var tick: RepeatedTask?
    private var whenEmpty: [EventLoopPromise<Void>] = []
    /// The pending waits for connections to end, each with the connections that are left.
    private var leaving: [(rest: Set<ObjectIdentifier>, promise: EventLoopPromise<Void>)] = []
    private(set) var isShuttingDown = false

    init(eventLoop: any EventLoop, options: TransportOptions, factory: any ResponderFactory) {
        self.eventLoop = eventLoop
        self.options = options
        self.factory = factory
    }

    deinit {
        inbound.deallocate()
        outbound.deallocate()
    }

    /// Adds a new connection.
    func add(_ connection: ConnectionHandler) {
        connections[ObjectIdentifier(connection)] = connection
        // One task checks all connections; it runs only while there are any.
        if tick == nil {
            let loop = NIOLoopBound(self, eventLoop: eventLoop)
            tick = eventLoop.scheduleRepeatedTask(
                initialDelay: options.tickInterval,
                delay: options.tickInterval
            ) { _ in loop.value.lookAtConnections() }
        }
    }

    /// Removes a connection that has ended.
    func remove(_ connection: ConnectionHandler) {
        connections[ObjectIdentifier(connection)] = nil
        for position in leaving.indices { leaving[position].rest.remove(ObjectIdentifier(connection)) }
        for entry in leaving where entry.rest.isEmpty { entry.promise.succeed() }
        leaving.removeAll { $0.rest.isEmpty }
        guard connections.isEmpty else { return }
        tick?.cancel()
        tick = nil
        for promise in whenEmpty { promise.succeed() }
        whenEmpty = []
    }

    private func lookAtConnections() {
        let now = eventLoop.now
        for connection in connections.values { connection.tick(now: now) }
    }

    /// Sends a GOAWAY on every connection; the future succeeds when the last one has ended.
    func shutDown() -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        isShuttingDown = true
        guard !connections.isEmpty else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        whenEmpty.append(promise)
        for connection in connections.values { connection.goAway() }
        return promise.futureResult
    }

    /// Sends a GOAWAY on every current connection.
    ///
    /// The future succeeds when these have ended, at most a second after `grace`.
    func closePresent(grace: TimeAmount) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        guard !connections.isEmpty else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        leaving.append((Set(connections.keys), promise))
        for connection in Array(connections.values) { connection.goAway() }
        let loop = NIOLoopBound(self, eventLoop: eventLoop)
        for time in [grace, grace + Self.lastWordsTime] {
            let deadline = eventLoop.scheduleTask(in: time) { loop.value.closeLeaving(promise.futureResult) }
            promise.futureResult.whenComplete { _ in deadline.cancel() }
        }
        return promise.futureResult
    }

    private func closeLeaving(_ waiter: EventLoopFuture<Void>) {
        let reason = CloseReason(.shutdown, "a reset ended the connection before its streams had ended")
        let rest = leaving.first { $0.promise.futureResult === waiter }?.rest ?? []
        for id in rest { connections[id]?.endNow(because: reason) }
    }

    /// Ends every connection immediately; a second call closes those that are still ending.
    func closeAll() {
        eventLoop.preconditionInEventLoop()
        let reason = CloseReason(.shutdown, "the server stopped before the connection had ended")
        for connection in connections.values { connection.endNow(because: reason) }
    }
}
