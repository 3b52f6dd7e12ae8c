internal import NIOCore

/// Limits the rate of frames of one kind: a leaky bucket.
struct FrameBudget {
    private var level = 0.0
    private var emptied = NIODeadline.uptimeNanoseconds(0)

    /// Counts a frame; returns `false` if it exceeds the limit.
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
