internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsUpstream
package import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Sends the pushes of a world to another push service as well, and records what it answers.
///
/// It follows the journal, as other readers do: the push path does not know it. What cannot be sent at once waits in a
/// queue with a limit; pushes beyond it are recorded as dropped. Imported pushes and those of a store are not
/// forwarded.
package final class Forwarder: Sendable {
    /// The limits of a forwarder.
    package struct Limits: Sendable {
        /// The pushes that wait to be sent; further ones are dropped.
        package var waiting = 10_000
        /// The pushes that are sent at a time.
        package var sending = 400

        package init() {}
    }

    /// What the reader knows of the pushes that it dropped.
    private struct Overflow {
        /// Whether the last push to forward was dropped.
        var isFull = false
        /// The last push, if it was dropped: the next one follows it without another between them.
        var run: UInt64?
    }

    private let world: World
    private let target: ForwardTarget
    private let limits: Limits
    private let pool: UpstreamPool
    private let token: ForwardToken?
    private let answers: ForwardAnswers?
    private let (pushes, queue): (AsyncStream<ForwardedPush>, AsyncStream<ForwardedPush>.Continuation)
    private let tasks = NIOLockedValueBox<[Task<Void, Never>]>([])
    private let isStopped = NIOLockedValueBox(false)

    /// Prepares to forward the pushes that arrive after `start`; the clients in `answers` get the responses.
    package init(_ world: World, to target: ForwardTarget, limits: Limits = Limits(), answers: ForwardAnswers? = nil) {
        (self.world, self.target, self.limits, self.answers) = (world, target, limits, answers)
        pool = UpstreamPool(target.address, target.options)
        token =
            switch target.credential {
            case .key(let key, let keyID, let teamID): ForwardToken(key, keyID: keyID, teamID: teamID)
            case .certificate: nil
            }
        // Limited by `limits.waiting`.
        (pushes, queue) = AsyncStream.makeStream(of: ForwardedPush.self)
    }

    /// Begins with the next push; must be called once.
    package func start() {
        world.forwards.watchImports()
        let changes = world.journal.changes()
        let last = world.journal.extent.lastSeq
        let reader = Task { [self] in
            var last = last
            var overflow = Overflow()
            for await _ in changes { last = read(after: last, &overflow) }
        }
        let sender = Task { [self] in
            await withDiscardingTaskGroup { group in
                // Each permit is one push that is being sent.
                let (permits, returned) = AsyncStream.makeStream(of: Void.self)
                for _ in 0..<limits.sending { returned.yield() }
                var next = permits.makeAsyncIterator()
                for await push in pushes {
                    guard await next.next() != nil else { return }
                    world.forwards.wait(-1)
                    group.addTask { [self] in
                        await send(push)
                        returned.yield()
                    }
                }
            }
        }
        tasks.withLockedValue { $0 = [reader, sender] }
    }

    /// Stops at once; pushes that wait are not sent.
    package func stop() async {
        isStopped.withLockedValue { $0 = true }
        answers?.end()
        let tasks = tasks.withLockedValue { exchange(&$0, with: []) }
        for task in tasks { task.cancel() }
        queue.finish()
        await pool.close()
    }

    /// Queues the pushes after a number, and returns the last number that was read.
    private func read(after seq: UInt64, _ overflow: inout Overflow) -> UInt64 {
        var last = seq
        var found: [ForwardedPush] = []
        var dropped: [(range: ClosedRange<UInt64>, connection: UInt64, stream: Int32)] = []
        var run = overflow.run
        var room = limits.waiting - world.forwards.counts.waiting
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
            found.append(ForwardedPush(request, head))
        }
        if imports?.isEmpty == false { world.forwards.forgetImports(upTo: last) }
        world.forwards.wait(found.count)
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
        guard !isStopped.withLockedValue({ $0 }) else { return }
        let begun = ContinuousClock.now
        let record = await answer(to: push, since: begun)
        world.journal.noteForwards([(push.seq, record)], epoch: push.epoch)
        answers?.give(record, connection: push.connection, stream: push.stream)
    }

    private func answer(to push: ForwardedPush, since begun: ContinuousClock.Instant) async -> ForwardRecord {
        func failed(_ error: any Error) -> ForwardRecord {
            ForwardRecord(.failed, because: "\(error)", microseconds: begun.microsecondsUntilNow)
        }
        var request = push.request
        if let token {
            do {
                let text = try token.text(at: Int64(world.clock.read().system.seconds))
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
