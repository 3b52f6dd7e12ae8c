internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

struct CheckCommand: ParsableCommand {
    static let configuration = command(
        "Check a payload without a server: the response of APNs, and warnings.",
        discussion: """
            Only the given headers are checked; the push type is derived from the payload by default. The exit code \
            is 0 when there is no error, 1 when there is one or APNs would reject the push, and 66 when the file \
            cannot be read. docs/lints.md explains every warning.
            """, examples: "mock-apns check payload.json --push-type background --priority 5",
        "make-payload | mock-apns check -")

    @Argument(help: .value("file", "The payload; - is standard input."), completion: .json) var file: String

    @OptionGroup var options: PushHeaderOptions

    @Option("hex", "The device token.") var token: String?

    @Option("name:value", "Another header, as 'apns-expiry:0'; repeatable.") var header: [String] = []

    @Flag(help: "Check it as a broadcast to the channels of the app of --topic.") var broadcast = false

    @Option(
        "file", "A JSON Schema that the payload has to fit; repeatable.",
        discussion: "For a Live Activity, content-state:TYPE=file and attributes:TYPE=file.") var schema: [String] = []

    @Flag(help: "Fail on warnings too.") var strict = false

    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        let headers: [HeaderName: String?] = [
            .apnsPushType: options.pushType, .apnsTopic: options.topic, .apnsPriority: options.priority,
            .apnsExpiration: options.expiration, .apnsCollapseID: options.collapseId,
        ]
        let given = headers.compactMapValues { $0 }
        let now = Timestamp(seconds: SystemFacts.now)
        let check = PayloadCheck(
            body: try body(), headers: given, others: try header.map(Self.field), token: token, isBroadcast: broadcast,
            schemas: try schemas(), at: now)
        if json {
            let json = APIObject<PayloadCheckShape>(check).serialized
            Console.answer(String(decoding: json, as: UTF8.self))
        } else {
            Console.answer(check.report(on: file == "-" ? "standard input" : file))
        }
        // A schema that is not used would look like a payload that fits.
        if let unused = check.unusedSchemas.first {
            throw CommandFailure(
                .usage,
                "--schema \(unused) does not apply: the push has the type \(check.pushType.name); payload is for all types"
                    + " but liveactivity, and content-state:TYPE and attributes:TYPE are for this type with that member"
            )
        }
        let fails = check.refusal != nil || check.count(.error) > 0 || strict && check.count(.warning) > 0
        if fails { throw ExitCode.unmet }
    }

    private func schemas() throws -> [AppSchemaName: JSONSchema] {
        var schemas: [AppSchemaName: JSONSchema] = [:]
        for text in schema {
            let given = try CommandFailure.explaining("invalid --schema '\(TerminalText.plain(text))'", .usage) {
                try AppSchemaArgument(parsing: text, option: "--schema", allowsPlainFile: true)
            }
            let isNew = schemas.updateValue(given.schema, forKey: given.name) == nil
            try CommandFailure.check(isNew, .usage, "--schema is given twice for \(given.name)")
        }
        return schemas
    }

    /// Reads a header of the command line.
    private static func field(_ text: String) throws -> (name: String, value: String) {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            throw ValidationError("invalid header '\(text)': expected 'name:value', as 'apns-expiry:0'")
        }
        let value = text[colon...].dropFirst().drop { $0 == " " }
        return (text[..<colon].lowercased(), String(value))
    }

    private func body() throws -> [UInt8] {
        do { return try AtomicFile.input(file, option: "file") } catch let failure as CommandFailure {
            throw CommandFailure(.noInput, failure.message)
        }
    }
}

extension PayloadCheck {
    fileprivate func report(on name: String) -> String {
        ([headline(name)] + findings.map(Self.paragraph) + [sum]).joined(separator: "\n\n")
    }

    private func headline(_ name: String) -> String {
        let origin = pushType.isDerived ? " (derived from the payload)" : ""
        let sent = "\(name): push type \(pushType.name)\(origin), \(size) of at most \(limit) bytes"
        let terminal = Terminal.output
        let answer = refusal.map { "\($0.reason.status) \($0.reason.name)" } ?? "200"
        let style = Style.of(status: refusal.map { Int($0.reason.status) } ?? 200)
        return [
            terminal.paragraph(sent, hanging: 2), terminal.styled("APNs responds \(answer).", style),
            refusal.map { terminal.paragraph($0.cause.hint, indent: 2) },
        ].given(joinedBy: "\n") ?? ""
    }

    private static func paragraph(_ finding: LintFinding) -> String {
        let terminal = Terminal.output
        let place = finding.pointer.flatMap { $0.isEmpty ? nil : TerminalText.place($0) } ?? "the payload"
        let title = "\(finding.severity.rawValue): \(finding.lint.id), \(place)"
        return [
            terminal.paragraph(title.styled(finding.severity.style), hanging: 2),
            terminal.paragraph(finding.message, indent: 2),
            terminal.paragraph("hint: \(finding.fix)", indent: 2, hanging: 2),
        ].joined(separator: "\n")
    }

    private var sum: String {
        let counts = Lint.Severity.allCases.map { severity in
            let count = count(severity)
            return count == 0 ? nil : counted(count, "\(severity)", severity == .info ? "info" : "\(severity)s")
        }
        return counts.given(joinedBy: ", ") ?? "No warnings."
    }
}
