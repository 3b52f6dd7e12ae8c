internal import MockAPNsFormats
internal import MockAPNsRules

/// The counters and random numbers of a fault; other faults do not affect its numbers.
struct FaultCounters {
    static let remembered = (pushes: 20, draws: 100)

    let stream: UInt64
    private(set) var evaluated: UInt64 = 0
    /// The value of `evaluated` at the last call of `takeCounted`.
    private var taken: UInt64 = 0
    private(set) var fired: UInt64 = 0
    private(set) var lastFiredAt: Timestamp?
    /// The numbers of the last pushes for which it fired, oldest first.
    private(set) var firedFor: [UInt64] = []
    private(set) var draws: [FaultDraw] = []
    private var drawn: UInt64 = 0
    private var generator: SplitMix64

    init(seed: UInt64, stream: UInt64) {
        self.stream = stream
        // This separates the streams widely in the generator's single long sequence.
        var mixer = SplitMix64(seed: stream &* 0xd1b5_4a32_d192_ed03)
        generator = SplitMix64(seed: seed ^ mixer.next())
    }

    /// Counts an occasion that matches the conditions, and returns whether the fault fires.
    mutating func fires(by trigger: FaultTrigger, at now: Timestamp) -> Bool {
        evaluated += 1
        guard evaluated > UInt64(trigger.skip) else { return false }
        guard (evaluated - UInt64(trigger.skip) - 1) % UInt64(trigger.every) == 0 else { return false }
        if let times = trigger.times, fired >= UInt64(times) { return false }
        guard trigger.probability > 0 else { return false }
        if trigger.probability < 1 {
            let value = generator.nextFraction()
            let fires = value < trigger.probability
            note(.probability, value, fired: fires)
            guard fires else { return false }
        }
        fired += 1
        lastFiredAt = now
        return true
    }

    /// Returns whether it was evaluated since the last call.
    mutating func takeCounted() -> Bool {
        defer { taken = evaluated }
        return taken != evaluated
    }

    /// Returns the delay of the current response, in microseconds.
    mutating func time(of delay: FaultAction.Delay) -> Int64 {
        guard delay.jitter > 0 else { return delay.time }
        let share: Double =
            switch delay.distribution {
            case .uniform: generator.nextFraction() * 2 - 1
            // The sum of twelve numbers is approximately normal, with a standard deviation of 1.
            case .normal: (0..<12).reduce(-6.0) { sum, _ in sum + generator.nextFraction() }
            }
        let time = max(0, delay.time + Int64((Double(delay.jitter) * share).rounded()))
        note(.delay, Double(time) / 1_000, fired: true)
        return time
    }

    mutating func note(firedFor seq: UInt64) {
        if firedFor.count == Self.remembered.pushes { firedFor.removeFirst() }
        firedFor.append(seq)
    }

    private mutating func note(_ use: FaultDraw.Use, _ value: Double, fired: Bool) {
        drawn += 1
        if draws.count == Self.remembered.draws { draws.removeFirst() }
        draws.append(FaultDraw(number: drawn, use: use, value: value, fired: fired))
    }
}

extension FaultCounters: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(stream)
        archive.write(evaluated)
        archive.write(fired)
        archive.write(lastFiredAt)
        archive.write(firedFor)
        archive.write(draws)
        archive.write(drawn)
        archive.write(generator)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        stream = try archive.read()
        evaluated = try archive.read()
        taken = evaluated
        fired = try archive.read()
        lastFiredAt = try archive.read()
        firedFor = try archive.read()
        draws = try archive.read()
        drawn = try archive.read()
        generator = try archive.read()
    }
}

/// A fault with its counters at some time.
struct CountedFault: MemberwiseArchived {
    static let format = ArchiveFormat(CountedFault.init, \.id, \.counters)

    let id: FaultID
    let counters: FaultCounters
}

/// A random number that a fault has used.
public struct FaultDraw: Equatable, Sendable {
    /// The purpose of a random number.
    public enum Use: String, CaseIterable, Sendable {
        /// From 0 to 1: the fault fires if it is below its probability.
        case probability
        /// The delay of a response, in milliseconds.
        case delay
    }

    /// The number of the draw, from 1 for each fault.
    public let number: UInt64
    /// The purpose.
    public let use: Use
    /// The value.
    public let value: Double
    /// Whether the fault fired.
    public let fired: Bool
}
