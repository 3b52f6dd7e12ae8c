internal import NIOCore

/// The state shared by the connections of an event loop: memory, streams, the responder factory and the
/// timer.
///
/// Used only on its loop.
final class TransportLoop {
    /// How long a connection may take to end after its grace period, so that its last output reaches the
    /// client.
    static let lastWordsTime = TimeAmount.seconds(1)

    let options: TransportOptions
    let factory: any ResponderFactory
    let streams = H2StreamPool()
    /// Decrypted input for nghttp2.
    let inbound = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_640, alignment: 16)
    /// Frames for TLS: room for the plaintext of a record, and for a batch of responses.
    let outbound = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    private let eventLoop: any EventLoop
    private let gate: (any InputGate)?
    /// Whether input is processed as it arrives; without a gate, always.
    private(set) var letsInputPass: Bool
    /// The connections whose input waits for the gate.
    private var waiting: [ConnectionHandler] = []
    private(set) var connections: [ObjectIdentifier: ConnectionHandler] = [:]
    private var tick: RepeatedTask?
    /// The pending waits for connections to end, each with the connections that are left.
    private var leaving: [(rest: Set<ObjectIdentifier>, promise: EventLoopPromise<Void>)] = []
    /// Whether connections that begin from now on get a GOAWAY at once.
    var isShuttingDown = false

    init(
        eventLoop: any EventLoop, options: TransportOptions, factory: any ResponderFactory, gate: (any InputGate)? = nil
    ) {
        self.eventLoop = eventLoop
        self.gate = gate
        letsInputPass = gate == nil
        self.options = options
        self.factory = factory
    }

    deinit {
        inbound.deallocate()
        outbound.deallocate()
    }

    /// Lets a connection's input in when the gate opens, with that of all others which wait until then.
    func waitForGate(_ connection: ConnectionHandler) {
        waiting.append(connection)
        guard waiting.count == 1, let gate else { return }
        let loop = NIOLoopBound(self, eventLoop: eventLoop)
        gate.enter { [eventLoop] leave in
            eventLoop.execute {
                loop.value.passInput()
                leave()
            }
        }
    }

    private func passInput() {
        let ready = waiting
        waiting.removeAll(keepingCapacity: true)
        letsInputPass = true
        for connection in ready { connection.passInput() }
        letsInputPass = false
    }

    /// Adds a new connection.
    func add(_ connection: ConnectionHandler) {
        connections[ObjectIdentifier(connection)] = connection
        // One task checks all connections; it runs only while there are any.
        if tick == nil {
            let loop = NIOLoopBound(self, eventLoop: eventLoop)
            tick = eventLoop.scheduleRepeatedTask(initialDelay: options.tickInterval, delay: options.tickInterval) {
                [eventLoop] _ in
                let now = eventLoop.now
                for connection in loop.value.connections.values { connection.tick(now: now) }
            }
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
    }

    /// Sends a GOAWAY on every connection; the future succeeds when these have ended.
    func goAway() -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        guard !connections.isEmpty else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        leaving.append((Set(connections.keys), promise))
        for connection in connections.values { connection.goAway() }
        return promise.futureResult
    }

    /// Sends a GOAWAY on every connection, and ends those that are left after `grace`.
    ///
    /// The future succeeds when all of them have ended, at most a second after `grace`.
    func close(grace: TimeAmount, because reason: CloseReason) -> EventLoopFuture<Void> {
        let present = Array(connections.values)
        let ended = goAway()
        for time in [grace, grace + Self.lastWordsTime] {
            // The second time closes those that are still ending.
            let deadline = eventLoop.assumeIsolated().scheduleTask(in: time) {
                for connection in present { connection.endNow(because: reason) }
            }
            ended.whenComplete { _ in deadline.cancel() }
        }
        return ended
    }
}
