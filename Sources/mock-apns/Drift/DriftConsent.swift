internal import MockAPNsDrift
internal import MockAPNsFormats
internal import Synchronization

/// The question before a comparison begins; nothing is sent before it is answered.
struct DriftConsent {
    private let comparison: DriftComparison
    private let hasCertificate: Bool

    init(_ comparison: DriftComparison, hasCertificate: Bool) {
        (self.comparison, self.hasCertificate) = (comparison, hasCertificate)
    }

    /// What will be done.
    var lines: [String] {
        let (target, cases) = (comparison.target, comparison.cases)
        let seconds = comparison.pace / .seconds(1) * Double(comparison.requestCount)
        let hosts =
            comparison.makesChannel && target.channels != target.address
            ? "\(target.address) and \(target.channels)" : "\(target.address)"
        var lines = [
            "\(counted(comparison.requestCount, "request", "requests")) to \(hosts), in about \(Int(seconds.rounded(.up))) s",
            "  They use the key of --key. A provider that uses it at the same time may get TooManyProviderTokenUpdates.",
        ]
        let pushes = cases.count { $0.need == .device }
        lines.append(
            pushes > 0
                ? "  \(counted(pushes, "silent push", "silent pushes")) to the device of --token; nothing else reaches a device."
                : "  None reaches a device.")
        if comparison.makesChannel { lines.append("  A channel of the app is made and deleted.") }
        if hasCertificate { lines.append("  Some use the client certificate of --cert.") }
        return lines
    }

    /// Returns if the user agrees.
    ///
    /// - Throws: `CommandFailure` if not.
    func ask(isGiven: Bool) throws {
        if isGiven { return }
        Console.note(lines)
        guard SystemFacts.readsFromTerminal else {
            throw CommandFailure(.noConsent, "nothing was sent, because standard input is not a terminal; --yes agrees")
        }
        Console.write("Begin? [y/N] ".utf8, to: 2)
        let answer = readLine()?.lowercased() ?? ""
        try CommandFailure.check(["y", "yes"].contains(answer), .noConsent, "nothing was sent")
    }
}

/// Says now and then how far a comparison is.
final class DriftProgress: Sendable {
    private static let step = 50
    private let all: Int
    private let counts = Mutex((done: 0, differing: 0))

    init(_ all: Int) { self.all = all }

    func note(_ outcome: DriftReport.Outcome) {
        let counts = counts.withLock { counts in
            counts.done += 1
            if !outcome.differences.isEmpty { counts.differing += 1 }
            return counts
        }
        guard counts.done.isMultiple(of: Self.step), counts.done < all else { return }
        Console.note("\(counts.done) of \(all) cases, \(counts.differing) differ")
    }
}
