internal import NIOCore

/// What the connections of one event loop share: scratch memory, streams, the responder factory and the clock tick.
///
/// Never leaves its loop.
final class TransportLoop {
    /// A TLS record's plaintext fits, and so does a batch of answers.
    static let scratchSize = 65_536
    /// How long after its grace a connection may still take to end: what it has said must reach the client.
    static let lastWordsTime = TimeAmount.seconds(1)

    let options: TransportOptions
    let factory: any ResponderFactory
    let streams = H2StreamPool()
    /// Decrypted bytes on their way to nghttp2.
    let inbound = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_640, alignment: 16)
    /// Frames on their way to TLS.
    let outbound = UnsafeMutableRawBufferPointer.allocate(byteCount: scratchSize, alignment: 16)

    private let eventLoop: any EventLoop
    private var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    private var tick: RepeatedTask?
    private var whenEmpty: [EventLoopPromise<Void>] = []
    /// Those who wait for connections to be gone, and which ones these still are.
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

    /// A connection has been opened.
    func add(_ connection: ConnectionHandler) {
        connections[ObjectIdentifier(connection)] = connection
        // One task looks at every connection, and only as long as there are any.
        if tick == nil {
            let loop = NIOLoopBound(self, eventLoop: eventLoop)
            tick = eventLoop.scheduleRepeatedTask(
                initialDelay: options.tickInterval,
                delay: options.tickInterval
            ) { _ in loop.value.lookAtConnections() }
        }
    }

    /// A connection is gone.
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

    /// Says GOAWAY on every connection; the future succeeds when the last one has ended.
    func shutDown() -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        isShuttingDown = true
        let promise = eventLoop.makePromise(of: Void.self)
        guard !connections.isEmpty else {
            promise.succeed()
            return promise.futureResult
        }
        whenEmpty.append(promise)
        for connection in connections.values { connection.goAway() }
        return promise.futureResult
    }

    /// Says GOAWAY on every connection there is.
    ///
    /// The future succeeds when these have ended, a second after `grace` at the latest.
    func closePresent(grace: TimeAmount) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        let promise = eventLoop.makePromise(of: Void.self)
        let present = Set(connections.keys)
        guard !present.isEmpty else {
            promise.succeed()
            return promise.futureResult
        }
        leaving.append((present, promise))
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

    /// Ends every connection, whatever it is in the middle of; a second call closes those that are still ending.
    func closeAll() {
        eventLoop.preconditionInEventLoop()
        let reason = CloseReason(.shutdown, "the server stopped before the connection had ended")
        for connection in connections.values { connection.endNow(because: reason) }
    }
}
