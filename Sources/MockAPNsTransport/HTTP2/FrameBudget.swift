internal import NIOCore

/// Counts frames of one kind against a bound: a bucket that leaks.
struct FrameBudget {
    private var level = 0.0
    private var emptied = NIODeadline.uptimeNanoseconds(0)

    /// Counts a frame; `false` when it is one too many.
    mutating func admit(_ bound: FrameAllowance.Bound, at now: NIODeadline) -> Bool {
        if now > emptied {
            let seconds = Double((now - emptied).nanoseconds) / 1_000_000_000
            level = max(0, level - seconds * bound.perSecond)
            emptied = now
        }
        level += 1
        return level <= bound.burst
    }
}
