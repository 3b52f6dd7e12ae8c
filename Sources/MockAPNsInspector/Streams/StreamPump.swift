internal import MockAPNsVerifying
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Sends events from a source to a client until one of them, or the server, ends the stream.
///
/// While there is nothing to send it has no task and no buffer: the source, the signal and the timer call it back.
final class StreamPump: NIOScheduledCallbackHandler, Sendable {
    typealias Write = @Sendable (ByteBuffer) -> EventLoopFuture<Void>

    private enum Stage {
        /// For something to send.
        case waiting
        case reading
        case sending
        case over
    }

    private struct State {
        var stage = Stage.sending
        var reading: Task<Void, Never>?
        var heartbeat: NIOScheduledCallback?
        var onEnd: (@Sendable ((any Error)?) -> Void)?
    }

    private let source: any EventSource
    private let stop: StopSignal
    private let loop: any EventLoop
    private let interval: TimeAmount
    private let threads: AnswerThreads
    private let write: Write
    private let state = NIOLockedValueBox(State())

    /// `heartbeat` is the time between two comments that keep the stream alive; `threads` read and render the events;
    /// `write` writes to the client, and succeeds when the operating system has taken the bytes.
    init(
        source: any EventSource, stop: StopSignal, heartbeat: TimeAmount, on loop: any EventLoop,
        threads: AnswerThreads, write: @escaping Write
    ) {
        (self.source, self.stop, self.loop, interval) = (source, stop, loop, heartbeat)
        (self.threads, self.write) = (threads, write)
    }

    /// Begins, and calls `onEnd` once: without an error when the end has been sent, or else with the reason why it was not,
    /// `CancellationError` if the client has left.
    ///
    /// Each batch is written after the previous one was taken, so memory does not grow if a client does not read.
    func start(_ opening: ByteBuffer, onEnd: @escaping @Sendable ((any Error)?) -> Void) {
        state.withLockedValue { $0.onEnd = onEnd }
        stop.whenAsked { [self] in
            let (isWaiting, reading) = state.withLockedValue { state in
                defer { if state.stage == .waiting { state.stage = .sending } }
                return (state.stage == .waiting, state.reading)
            }
            // The source may be waiting for its next second.
            reading?.cancel()
            if isWaiting, let cause = stop.cause { end(cause) }
        }
        beat()
        send(opening)
    }

    func handleScheduledCallback(eventLoop: some EventLoop) {
        if begins() { send(ByteBuffer(bytes: ServerSentEvent.heartbeat)) }
        beat()
    }

    /// Schedules the next heartbeat; it is left out while something is being sent.
    private func beat() {
        // Fails only if the event loop has shut down, and the connection with it.
        let heartbeat = try? loop.scheduleCallback(in: interval, handler: self)
        let isOver = state.withLockedValue { state in
            state.heartbeat = heartbeat
            return state.stage == .over
        }
        if isOver { heartbeat?.cancel() }
    }

    /// Takes the stream to send something, or to read what to send; not if it is taken already.
    private func begins(_ stage: Stage = .sending) -> Bool {
        state.withLockedValue { state in
            guard state.stage == .waiting else { return false }
            state.stage = stage
            return true
        }
    }

    private func send(_ buffer: ByteBuffer) {
        write(buffer).whenComplete { [self] result in
            switch result {
            case .success: wait()
            case .failure(let error): finish(error)
            }
        }
    }

    private func wait() {
        state.withLockedValue { $0.stage = .waiting }
        // It may have come while something was being sent.
        if let cause = stop.cause {
            if begins() { end(cause) }
            return
        }
        source.whenReady { [self] in read() }
    }

    private func read() {
        guard begins(.reading) else { return }
        let reading = Task(executorPreference: threads) { await self.step() }
        state.withLockedValue { if $0.stage == .reading { $0.reading = reading } }
        // The signal may have been given before there was a task to cancel.
        if stop.cause != nil { reading.cancel() }
    }

    private func step() async {
        let poll = await source.poll()
        // A task that has ended is not kept while a client does not read.
        state.withLockedValue { ($0.stage, $0.reading) = (.sending, nil) }
        // A client that has left, or a server that stops, has precedence.
        if let cause = stop.cause { return end(cause) }
        switch poll {
        case .events(let batch): send(batch.buffer)
        case .nothing: wait()
        case .over: end(source.ending)
        }
    }

    private func end(_ cause: StopSignal.Cause) {
        switch cause {
        case .clientGone: finish(CancellationError())
        case .shutdown: end("shutdown")
        case .namespaceGone: end("namespace-deleted")
        }
    }

    private func end(_ reason: String) {
        write(ByteBuffer(bytes: ServerSentEvent.closed(reason).bytes)).whenComplete { [self] result in
            switch result {
            case .success: finish(nil)
            case .failure(let error): finish(error)
            }
        }
    }

    private func finish(_ error: (any Error)?) {
        let (onEnd, heartbeat) = state.withLockedValue { state in
            state.stage = .over
            return (state.onEnd.take(), state.heartbeat.take())
        }
        heartbeat?.cancel()
        onEnd?(error)
    }
}
