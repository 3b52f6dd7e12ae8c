import MockAPNsFormats
import MockAPNsRules
import TestSupport

@testable import MockAPNsWorld

/// The Live Activities of one device in the simplest possible way, with times in seconds.
struct NaiveActivities {
    struct One {
        var content: Int64
        var timestamp: Double
        let startedAt: Double
        var staleAt: Double?
        var isStale = false
        var endedAt: Double?
        var dismissAt: Double?
        var isDismissed = false
        /// The push that is stored for its token.
        var stored: Push?

        var isRunning: Bool { endedAt == nil }
        var state: String { isDismissed ? "dismissed" : endedAt != nil ? "ended" : isStale ? "stale" : "active" }
    }

    /// A push, with times in seconds after the beginning.
    struct Push {
        let event: String
        let content: Int64?
        let timestamp: Double
        let sentAt: Double
        let staleAt: Double?
        let dismissAt: Double?
    }

    private static let hour = 3_600.0

    var all: [One] = []
    var now = 0.0
    var isOnline = true
    private var stored: Push?

    /// What is shown of all.
    var look: String { all.enumerated().map { "\($0 + 1) \($1.state) {\"n\":\($1.content)}" }.joined(separator: ", ") }

    mutating func pass(_ seconds: Double) {
        now += seconds
        for one in all.indices { settle(one) }
    }

    private mutating func settle(_ one: Int) {
        if all[one].isRunning, let date = all[one].staleAt, date <= now { all[one].isStale = true }
        if all[one].isRunning, all[one].startedAt + 8 * Self.hour <= now {
            all[one].endedAt = all[one].startedAt + 8 * Self.hour
            all[one].dismissAt = all[one].startedAt + 12 * Self.hour
            all[one].stored = nil
        }
        if let date = all[one].dismissAt, date <= now { all[one].isDismissed = true }
    }

    /// What a push to the app's token brings.
    mutating func start(_ push: Push) -> String {
        guard isOnline else {
            stored = push
            return "stored"
        }
        guard push.event == "start" else { return "ignored push-to-start-token" }
        guard let content = push.content else { return "ignored missing-content-state" }
        guard all.count(where: \.isRunning) < 5 else { return "ignored too-many-activities" }
        all.append(One(content: content, timestamp: push.timestamp, startedAt: now, staleAt: push.staleAt))
        settle(all.count - 1)
        return "started \(all.count)"
    }

    /// What a push to the newest activity's token brings.
    mutating func change(_ push: Push) -> String {
        guard let last = all.indices.last else { return "no token" }
        if let end = all[last].endedAt { return "410 ExpiredToken at \(Int(end))" }
        guard isOnline else {
            all[last].stored = push
            return "stored"
        }
        return apply(push, to: last)
    }

    private mutating func apply(_ push: Push, to one: Int) -> String {
        if push.event == "start" { return "ignored \(one + 1) update-token" }
        if push.event == "update" {
            if push.timestamp < push.sentAt - 200 { return "ignored \(one + 1) past-timestamp" }
            guard push.content != nil else { return "ignored \(one + 1) missing-content-state" }
            if push.timestamp < all[one].timestamp { return "ignored \(one + 1) stale-timestamp" }
        }
        all[one].content = push.content ?? all[one].content
        all[one].timestamp = max(all[one].timestamp, push.timestamp)
        guard push.event == "end" else {
            (all[one].staleAt, all[one].isStale) = (push.staleAt, false)
            settle(one)
            return "updated \(one + 1)"
        }
        all[one].endedAt = now
        all[one].dismissAt = min(push.dismissAt ?? .infinity, now + 4 * Self.hour)
        settle(one)
        return "ended \(one + 1)"
    }

    mutating func setOnline(_ online: Bool) {
        guard online != isOnline else { return }
        isOnline = online
        guard online else { return }
        if let push = stored {
            stored = nil
            _ = start(push)
        }
        for one in all.indices {
            guard let push = all[one].stored else { continue }
            all[one].stored = nil
            _ = apply(push, to: one)
        }
    }

    mutating func dismiss() {
        guard let last = all.indices.last, !all[last].isDismissed else { return }
        if all[last].endedAt == nil { all[last].endedAt = now }
        (all[last].dismissAt, all[last].isDismissed, all[last].stored) = (now, true, nil)
    }

    /// Replaces the token of the newest; what is stored for the old one is lost.
    mutating func rotate() {
        guard let last = all.indices.last, all[last].isRunning else { return }
        all[last].stored = nil
    }
}
