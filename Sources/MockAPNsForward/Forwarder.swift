internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsUpstream
package import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import NIOPosix

/// Sends the pushes of worlds to another push service as well, and records what it answers.
///
/// It follows their journals, as other readers do: the push path does not know it. What cannot be sent at once waits in
/// a queue with a limit, which all worlds share; pushes beyond it are recorded as dropped. Imported pushes and those of
/// a store are not forwarded.
package final class Forwarder: Sendable {
    /// The limits of a forwarder, for all worlds together.
    package struct Limits: Sendable {
        /// The pushes that wait to be sent; further ones are dropped.
        package var waiting = 10_000
        /// The pushes that are sent at a time.
        package var sending = 400

        package init() {}
    }

    /// What the reader of a world knows of the pushes that it dropped.
    private struct Overflow {
        /// Whether the last push to forward was dropped.
        var isFull = false
        /// The last push, if it was dropped: the next one follows it without another between them.
        var run: UInt64?
    }

    private let target: ForwardTarget
    private let limits: Limits
    private let pool: UpstreamPool
    private let token: ForwardToken?
    private let answers: ForwardAnswers?
    private let thread: BackgroundThread?
    private let (pushes, queue): (AsyncStream<ForwardedPush>, AsyncStream<ForwardedPush>.Continuation)
    private let state = NIOLockedValueBox(State())

    private struct State {
        var sender: Task<Void, Never>?
        var readers: [ObjectIdentifier: Task<Void, Never>] = [:]
        /// The pushes of all worlds that wait.
        var waiting = 0
        var isStopped = false
    }

    /// Prepares to forward the pushes of worlds that it follows; the clients in `answers` get the responses.
    ///
    /// In the background it has what the push path leaves of the processor.
    package init(
        to target: ForwardTarget, limits: Limits = Limits(), answers: ForwardAnswers? = nil, inBackground: Bool = false
    ) {
        (self.target, self.limits, self.answers) = (target, limits, answers)
        thread = inBackground ? .shared : nil
        let group = thread?.group ?? MultiThreadedEventLoopGroup.singleton
        pool = UpstreamPool(target.address, target.options, on: group)
        token =
            switch target.credential {
            case .key(let key, let keyID, let teamID): ForwardToken(key, keyID: keyID, teamID: teamID)
            case .certificate: nil
            }
        // Limited by `limits.waiting`.
        (pushes, queue) = AsyncStream.makeStream(of: ForwardedPush.self)
    }

    /// Begins to send; must be called once.
    package func start() {
        let sender = Task(executorPreference: thread) { [self] in
            await withDiscardingTaskGroup { group in
                // Each permit is one push that is being sent.
                let (permits, returned) = AsyncStream.makeStream(of: Void.self)
                for _ in 0..<limits.sending { returned.yield() }
                var next = permits.makeAsyncIterator()
                for await push in pushes {
                    guard await next.next() != nil else { return }
                    wait(-1, in: push.world)
                    group.addTask { [self] in
                        await send(push)
                        returned.yield()
                    }
                }
            }
        }
        state.withLockedValue { $0.sender = sender }
    }

    /// Forwards the pushes of a world from the next one on, until `leave` or `stop`.
    package func follow(_ world: World) {
        world.forwards.watchImports()
        let changes = world.journal.changes()
        let last = world.journal.extent.lastSeq
        state.withLockedValue { state in
            guard !state.isStopped, state.readers[ObjectIdentifier(world)] == nil else { return }
            state.readers[ObjectIdentifier(world)] = Task(executorPreference: thread) { [self] in
                var last = last
                var overflow = Overflow()
                for await _ in changes { last = read(world, after: last, &overflow) }
            }
        }
    }

    /// Forwards nothing more of a world that ends, but for what waits already.
    package func leave(_ world: World) {
        state.withLockedValue { $0.readers.removeValue(forKey: ObjectIdentifier(world)) }?.cancel()
    }

    /// Stops at once; pushes that wait are not sent.
    package func stop() async {
        let tasks = state.withLockedValue { state in
            state.isStopped = true
            return [exchange(&state.sender, with: nil)].compactMap(\.self) + exchange(&state.readers, with: [:]).values
        }
        answers?.end()
        for task in tasks { task.cancel() }
        queue.finish()
        await pool.close()
    }

    private func wait(_ change: Int, in world: World) {
        world.forwards.wait(change)
        state.withLockedValue { $0.waiting += change }
    }

    /// Queues the pushes after a number, and returns the last number that was read.
    private func read(_ world: World, after seq: UInt64, _ overflow: inout Overflow) -> UInt64 {
        var last = seq
        var found: [ForwardedPush] = []
        var dropped: [(range: ClosedRange<UInt64>, connection: UInt64, stream: Int32)] = []
        var run = overflow.run
        var room = limits.waiting - state.withLockedValue(\.waiting)
        var imports: [ClosedRange<UInt64>]?
        let epoch = world.journal.follow(after: seq) { request, head in
            last = head.seq
            // Asked after the snapshot, so that none of its imports is missing.
            let known = imports ?? world.forwards.imports
            imports = known
            let before = run
            run = nil
            guard !known.contains(where: { $0.contains(head.seq) }), target.includes(request, head) else { return }
            guard room > 0 else {
                run = head.seq
                return dropped.append(
                    ((before.map { $0 + 1 } ?? head.seq)...head.seq, head.connectionID, head.streamID))
            }
            room -= 1
            found.append(ForwardedPush(request, head, in: world))
        }
        if imports?.isEmpty == false { world.forwards.forgetImports(upTo: last) }
        wait(found.count, in: world)
        for var push in found {
            push.epoch = epoch
            queue.yield(push)
        }
        // The queue has room or none: what is dropped comes after what is queued.
        if !found.isEmpty { overflow.isFull = false }
        world.journal.noteDroppedForwards(dropped.map(\.range), epoch: epoch, isBeginning: !overflow.isFull)
        if !dropped.isEmpty { overflow.isFull = true }
        overflow.run = run
        if let answers { for push in dropped { answers.give(nil, connection: push.connection, stream: push.stream) } }
        return last
    }

    private func send(_ push: ForwardedPush) async {
        guard !state.withLockedValue(\.isStopped) else { return }
        let begun = ContinuousClock.now
        let record = await answer(to: push, since: begun)
        push.world.journal.noteForwards([(push.seq, record)], epoch: push.epoch)
        answers?.give(record, connection: push.connection, stream: push.stream)
    }

    private func answer(to push: ForwardedPush, since begun: ContinuousClock.Instant) async -> ForwardRecord {
        func failed(_ error: any Error) -> ForwardRecord {
            ForwardRecord(.failed, because: "\(error)", microseconds: begun.microsecondsUntilNow)
        }
        var request = push.request
        if let token {
            do {
                let text = try token.text(at: Int64(push.world.clock.read().system.seconds))
                request.headers.append(UpstreamHeader("authorization", "bearer \(text)"))
            } catch { return failed(error) }
        }
        do throws(UpstreamError) {
            let answer = try await pool.send(request)
            let reason = JSONParser.value(of: answer.body)?["reason"]?.string
            return ForwardRecord(
                status: answer.status, reason: reason, headers: answer.headers.map { ($0.name, $0.value) },
                body: answer.body, microseconds: begun.microsecondsUntilNow,
                isSame: answer.status == push.status && reason == push.reason)
        } catch { return failed(error) }
    }
}

extension ContinuousClock.Instant {
    fileprivate var microsecondsUntilNow: Int64 { Int64(duration(to: .now) / .microseconds(1)) }
}
