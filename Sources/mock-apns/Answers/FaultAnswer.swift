/// A fault as the API shows it.
struct FaultAnswer: Decodable {
    /// When it fires.
    struct When: Decodable {
        let skip: Int
        let every: Int
        let probability: Double
        let times: Int?
        let from: String?
        let until: String?
        let afterIdle: String?
        let afterRequests: Int?

        /// The limits there are, in words.
        var text: String {
            let limits: [String?] = [
                skip > 0 ? "after \(skip)" : nil,
                every > 1 ? "1 of \(every)" : nil,
                times.map { $0 == 1 ? "once" : "\($0) times" },
                probability < 1 ? "p=\(probability)" : nil,
                afterIdle.map { "idle \($0)" },
                afterRequests.map { "\($0) requests before" },
                from.map { "from \(TerminalText.time($0))" },
                until.map { "until \(TerminalText.time($0))" },
            ]
            let given = limits.compactMap { $0 }
            return given.isEmpty ? "always" : given.joined(separator: ", ")
        }
    }

    /// What it does; one of these.
    struct Action: Decodable {
        struct Respond: Decodable {
            let status: Int
            let reason: String?
            var text: String { "\(status)" + (reason.map { " \($0)" } ?? "") }
        }

        struct Delay: Decodable {
            let time: String
            let jitter: String

            enum CodingKeys: String, CodingKey {
                case time = "for"
                case jitter
            }
        }

        struct Stream: Decodable {
            let reset: String
        }

        struct GoAway: Decodable {
            let code: String
            let close: String
            let then: String?
            let respond: Respond?
        }

        struct Settings: Decodable {
            let maxConcurrentStreams: Int?
            let initialWindow: Int?
            let delay: String?
            let replaceWithGoaway: GoAway?
        }

        struct Slow: Decodable {
            let bytesPerSecond: Int
        }

        let respond: Respond?
        let delay: Delay?
        let stream: Stream?
        let goaway: GoAway?
        let connection: String?
        let settings: Settings?
        let handshake: String?
        let body: String?
        let lose: Bool?
        let duplicate: Bool?
        let slow: Slow?

        /// What happens, in a few words.
        var text: String {
            if let respond { return "respond \(respond.text)" }
            if let delay {
                return "delay \(delay.time)" + (delay.jitter == "0s" ? "" : " ± \(delay.jitter)")
            }
            if let stream { return "reset \(stream.reset)" }
            if let goaway {
                let answer = goaway.respond.map { "\($0.text), then " } ?? ""
                return "\(answer)GOAWAY \(goaway.code), close \(goaway.close)"
                    + (goaway.then.map { ", then \($0)" } ?? "")
            }
            if let connection { return "connection \(connection)" }
            if let settings { return "settings\(Self.text(settings))" }
            if let handshake { return "handshake \(handshake)" }
            if let body { return "body \(body)" }
            if lose == true { return "lose" }
            if duplicate == true { return "duplicate" }
            return slow.map { "slow \($0.bytesPerSecond) bytes/s" } ?? "?"
        }

        private static func text(_ settings: Settings) -> String {
            let parts: [String?] = [
                settings.maxConcurrentStreams.map { " streams=\($0)" },
                settings.initialWindow.map { " window=\($0)" },
                settings.delay.map { " delay=\($0)" },
                settings.replaceWithGoaway.map { " GOAWAY \($0.code)" },
            ]
            return parts.compactMap { $0 }.joined()
        }
    }

    /// What it has done.
    struct Stats: Decodable {
        let evaluated: UInt64
        let fired: UInt64
        let lastFiredAt: String?
    }

    let id: String
    let position: Int
    let name: String?
    let preset: String?
    let enabled: Bool
    let when: When
    let action: Action
    let stats: Stats

    enum CodingKeys: String, CodingKey {
        case id
        case position
        case name
        case preset
        case enabled
        case when
        case stats
        case action = "do"
    }

    /// What people call it.
    var title: String { name ?? preset ?? "-" }

    /// One line about it.
    var sentence: String {
        TerminalText.plain(
            "\(id) is \(enabled ? "on" : "off") at position \(position): \(action.text), \(when.text)"
        )
    }

    /// A line for each fault.
    static func table(_ faults: [FaultAnswer]) -> String {
        var table = Table([
            .number("#"), .text("ID"), .text("STATE"), .text("DOES"), .text("WHEN"), .number("SEEN"),
            .number("FIRED"), .text("LAST"), .text("NAME"),
        ])
        table.rows = faults.map { fault in
            [
                "\(fault.position)", fault.id, fault.enabled ? "on" : "off", fault.action.text,
                fault.when.text,
                "\(fault.stats.evaluated)", "\(fault.stats.fired)",
                fault.stats.lastFiredAt.map(TerminalText.time) ?? "-", fault.title,
            ]
        }
        return table.text
    }
}

/// The faults there are, as the API shows them.
struct FaultListAnswer: Decodable {
    let faults: [FaultAnswer]
}

/// The presets there are, as the API shows them.
struct FaultPresetsAnswer: Decodable {
    /// A preset.
    struct Preset: Decodable {
        /// Something that can be chosen.
        struct Parameter: Decodable {
            let name: String
        }

        let name: String
        let meaning: String
        let parameters: [Parameter]
    }

    let presets: [Preset]

    /// A line for each preset.
    var table: String {
        var table = Table([.text("PRESET"), .text("WHAT HAPPENS"), .text("PARAMETERS")])
        table.rows = presets.map { preset in
            [preset.name, preset.meaning, preset.parameters.map(\.name).joined(separator: " ")]
        }
        return table.text
    }
}
