internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsLog

/// What `--data` names: a directory of this server alone, or a database that servers share.
struct DataPlace: Sendable {
    /// What was given, without a password.
    let shown: String
    private let text: String
    private let opener: any WorldPlace.Type
    private let options: KeepingOptions

    /// Reads `--data` and the options that belong to it; `nil` without it.
    init?(reading reader: inout OptionReader) throws {
        let given = try reader.optional("data", shown: StoreKind.withoutPassword) { text in
            let isPlace = StoreKind.isURL(text) || !text.contains("://")
            try OptionReader.check(isPlace, "a directory, or postgresql://user@host:port/database")
            return (text: text, opener: try StoreKind.opener(of: text))
        }
        var options = KeepingOptions()
        try reader.choice("sync", into: &options.sync)
        options.retention.age = try reader.optional("keep") { text in
            let milliseconds = try DurationText.milliseconds(text)
            try OptionReader.check(milliseconds > 0, "\(DurationText.expected), greater than 0")
            return milliseconds * 1_000
        }
        options.retention.pushes = try reader.optional("keep-pushes") {
            try OptionReader.require(Retention.pushes($0), "a number of pushes, as 500, 20k or 10M")
        }
        options.retention.bytes = try reader.optional("keep-bytes") {
            try OptionReader.require(Retention.bytes($0), "a size, as 800MB or 5GB")
        }
        options.timeout =
            try reader.optional("data-timeout") { text in
                let milliseconds = try DurationText.milliseconds(text)
                try OptionReader.check((1...3_600_000).contains(milliseconds), "a duration from 1ms to 1h")
                return milliseconds
            } ?? options.timeout
        options.replica = try reader.text("replica-name") ?? options.replica
        guard let given else { return nil }
        (text, opener) = given
        self.options = options
        shown = StoreKind.withoutPassword(text)
    }

    /// Whether servers share it.
    var isShared: Bool { StoreKind.isURL(text) }

    /// Opens it.
    func keeping() throws(StoreError) -> Configuration.Keeping { try opener.keeping(in: text, options) }
}
