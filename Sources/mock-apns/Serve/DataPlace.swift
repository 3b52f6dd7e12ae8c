internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsLog
internal import MockAPNsPostgres
internal import MockAPNsSQLite

/// What `--data` names: a directory of this server alone, or a database that servers share.
struct DataPlace: Sendable {
    /// What was given, without a password.
    let shown: String
    private let text: String
    private var sync = SQLiteStore.Sync.normal
    private var retention = Retention()
    private var replica = SystemFacts.hostName ?? "mock-apns"
    /// How long changes wait for a database, in milliseconds.
    private var patience: Int64 = 2_000

    /// Whether `--data` is the URL of a database.
    static func isURL(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// Reads `--data` and the options that belong to it; `nil` without it.
    init?(reading reader: inout OptionReader) throws {
        let given = try reader.optional("data", shown: Self.withoutPassword) { text in
            let isPlace = Self.isURL(text) || !text.contains("://")
            try OptionReader.check(isPlace, "a directory, or postgresql://user@host:port/database")
            return text
        }
        try reader.choice("sync", into: &sync)
        retention.age = try reader.optional("keep") { text in
            let milliseconds = try DurationText.milliseconds(text)
            try OptionReader.check(milliseconds > 0, "\(DurationText.expected), greater than 0")
            return milliseconds * 1_000
        }
        retention.pushes = try reader.optional("keep-pushes") {
            try OptionReader.require(Retention.pushes($0), "a number of pushes, as 500, 20k or 10M")
        }
        retention.bytes = try reader.optional("keep-bytes") {
            try OptionReader.require(Retention.bytes($0), "a size, as 800MB or 5GB")
        }
        patience =
            try reader.optional("data-timeout") { text in
                let milliseconds = try DurationText.milliseconds(text)
                try OptionReader.check((1...3_600_000).contains(milliseconds), "a duration from 1ms to 1h")
                return milliseconds
            } ?? patience
        replica = try reader.text("replica-name") ?? replica
        guard let given else { return nil }
        text = given
        shown = Self.withoutPassword(given)
    }

    /// Opens it.
    func keeping() throws(StoreError) -> Configuration.Keeping {
        guard Self.isURL(text) else {
            var options = SQLiteStore.Options()
            (options.sync, options.retention) = (sync, retention)
            return Configuration.Keeping(
                in: try DataStores(in: text, options: options),
                condition: FaultArgument.condition
            )
        }
        var options = PostgresOptions()
        options.retention = retention
        var sharing = Configuration.Sharing(
            try PostgresLog(text, options: options),
            name: replica,
            version: Version.text
        )
        sharing.options.patience = UInt64(patience) * 1_000_000
        return Configuration.Keeping(sharing: sharing, condition: FaultArgument.condition)
    }

    /// A URL without its password: `postgresql://user:***@host/database`.
    private static func withoutPassword(_ text: String) -> String {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard isURL(text), parts.count > 2, let at = parts[2].lastIndex(of: "@"),
            let colon = parts[2][..<at].firstIndex(of: ":")
        else { return text }
        let server = parts[2][...colon] + "***" + parts[2][at...]
        return (parts[..<2] + [server] + parts[3...]).joined(separator: "/")
    }
}
