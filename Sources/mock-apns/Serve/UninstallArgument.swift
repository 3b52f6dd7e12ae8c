internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsWorld

/// The value of `--uninstall-detection`: `immediate`, `delayed` or `fuzzy[=1h..30d][,seed=7]`.
struct UninstallArgument {
    private let detection: Devices.Options.UninstallDetection
    private var delay: ClosedRange<Int64>?
    private var seed: Int?

    init(parsing text: String) throws {
        let expected = "immediate, delayed or fuzzy, as fuzzy=1h..30d,seed=7"
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let first = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        detection = try OptionReader.require(Devices.Options.UninstallDetection(rawValue: first[0]), expected)
        try OptionReader.check(parts.count <= 2 && (detection == .fuzzy || text == detection.rawValue), expected)
        if first.count == 2 {
            delay = try OptionReader.require(
                DurationText.range(first[1]), "two durations after fuzzy=, the shorter one first, as fuzzy=1h..30d")
        }
        guard parts.count == 2 else { return }
        let largest = Devices.Options.largestUninstallSeed
        let number = parts[1].hasPrefix("seed=") ? Int(parts[1].dropFirst("seed=".count)) : nil
        seed = try OptionReader.require(
            number.flatMap { (0...largest).contains($0) ? $0 : nil }, "seed= and a whole number from 0 to \(largest)")
    }

    func apply(to options: inout Devices.Options) {
        options.uninstallDetection = detection
        if let delay { options.uninstallDelay = delay }
        if let seed { options.uninstallSeed = seed }
    }
}
