internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import NIOCore

struct ClockCommand: AsyncParsableCommand {
    static let configuration = command(
        "Show and set the clock of the simulated service.",
        discussion: """
            Expiration, storage, token age and rates depend on it. Times are in RFC 3339, as 2030-01-01T00:00:00Z; \
            durations are 500ms, 5s, 2m, 1h or 30d. When a command ends, everything that became due has happened.
            """, examples: "mock-apns clock freeze", "mock-apns clock advance 31d", "mock-apns clock real",
        subcommands: [
            Client<Show>.self, Client<Freeze>.self, Client<Set>.self, Client<Advance>.self, Client<Real>.self,
        ], defaultSubcommand: Client<Show>.self)

    struct Show: ClientTask {
        static let configuration = command("Show the clock.", examples: "mock-apns clock show")

        func run(_ client: ClientOptions) async throws {
            try await client.show(APIRequest("GET", ["clock"]), as: ClockShape.self) { Table.sheet($0.lines) }
        }
    }

    struct Freeze: ClientTask {
        static let configuration = command(
            "Freeze the clock, now or at a time.", examples: "mock-apns clock freeze 2030-01-01T00:00:00Z")

        @Argument(help: .value("time", "The time to freeze it at, in RFC 3339. (default: now)")) var time: String?

        func run(_ options: ReportOptions) async throws {
            try await options.changeClock(to: ["mode": "frozen", "now": time])
        }
    }

    struct Set: ClientTask {
        static let configuration = command(
            "Freeze the clock at a time.", examples: "mock-apns clock set 2030-01-01T00:00:00Z")

        @Argument(help: .value("time", "The time to freeze it at, in RFC 3339.")) var time: String

        func run(_ options: ReportOptions) async throws {
            try await options.changeClock(to: ["mode": "frozen", "now": time])
        }
    }

    struct Advance: ClientTask {
        static let configuration = command(
            "Advance the clock, and do everything that becomes due.", examples: "mock-apns clock advance 1h")

        @Argument(help: .value("duration", "How far: 500ms, 5s, 2m, 1h or 30d.")) var duration: String

        func run(_ options: ReportOptions) async throws {
            try await options.changeClock("POST", ["clock", "advance"], to: ["by": duration])
        }
    }

    struct Real: ClientTask {
        static let configuration = command("Return to the system's clock.", examples: "mock-apns clock real")

        func run(_ options: ReportOptions) async throws { try await options.changeClock(to: ["mode": "real"]) }
    }
}

extension ReportOptions {
    fileprivate func changeClock(
        _ method: String = "PUT", _ path: [String] = ["clock"], to members: [String: (any ShapeValue)?]
    ) async throws {
        // Years with many devices may have to be simulated.
        let request = APIRequest(method, path).sending(members).with(\.timeout, .seconds(300))
        try await client.show(request, as: ClockSetShape.self) { $0.text(full: full) }
    }
}

extension APIObject<ClockShape> {
    var lines: [(name: String, value: String?)] {
        let seconds = abs(self.offsetSeconds)
        let amount = Int64(exactly: seconds).map(String.init) ?? "\(seconds)"
        let offset = "\(amount) s \(self.offsetSeconds < 0 ? "behind" : "ahead of") the system's"
        return [
            ("clock", self.mode), ("now", self.now), ("offset", self.mode == "real" && seconds != 0 ? offset : nil),
            ("next due", self.nextDue ?? "nothing"),
        ]
    }
}

extension APIObject<ClockSetShape> {
    func text(full: Bool) -> String {
        let happened = self.deliveries.lines(full: full)
        return Table.sheet(self.clock.lines + (happened.isEmpty ? [("happened", "nothing was due")] : happened))
    }
}
