/// The times of attempts at something that fails: each pause is twice as long as the one before, up to a limit.
///
/// Times are in nanoseconds of the monotonic clock.
struct BackOff {
    /// The first pause.
    let first: UInt64
    /// The longest pause.
    let longest: UInt64
    private var pause: UInt64 = 0
    private var next: UInt64 = 0

    init(first: UInt64, longest: UInt64) {
        self.first = first
        self.longest = longest
    }

    /// Whether the last attempt has failed.
    var isFailing: Bool { pause > 0 }

    /// Returns whether the next attempt is due; always before a failure.
    func isDue(at now: UInt64) -> Bool { now >= next }

    mutating func failed(at now: UInt64) {
        pause = pause == 0 ? first : min(pause * 2, longest)
        next = now + pause
    }

    mutating func succeeded() { (pause, next) = (0, 0) }
}
