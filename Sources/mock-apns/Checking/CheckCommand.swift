internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsInspector
internal import MockAPNsQuery
internal import MockAPNsRules

struct CheckCommand: ParsableCommand {
    static let configuration = command(
        "Check a payload without a server: the response of APNs, and warnings.",
        discussion: """
            Only the given headers are checked. The exit code is 0 when there is no error, 1 when there is one or \
            APNs would reject the push, and 66 when the file cannot be read. docs/lints.md explains every warning.
            """,
        examples: "mock-apns check payload.json --push-type background --priority 5",
        "make-payload | mock-apns check -"
    )

    /// The largest file; a payload has a few kilobytes at most.
    private static let largestFile = 1 << 20

    @Argument(
        help: .value("file", "The payload; - is standard input."),
        completion: .file(extensions: ["json"])
    )
    var file: String

    @Option(help: .value("type", "The value of apns-push-type. (default: derived from the payload)"))
    var pushType: String?

    @Option(help: .value("topic", "The value of apns-topic."))
    var topic: String?

    @Option(help: .value("10|5|1", "The value of apns-priority."))
    var priority: String?

    @Option(help: .value("seconds", "The value of apns-expiration."))
    var expiration: String?

    @Option(help: .value("id", "The value of apns-collapse-id."))
    var collapseID: String?

    @Option(help: .value("hex", "The device token."))
    var token: String?

    @Flag(help: "Fail on warnings too.")
    var strict = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        var headers = PayloadCheck.Headers()
        headers.pushType = pushType
        headers.topic = topic
        headers.priority = priority
        headers.expiration = expiration
        headers.collapseID = collapseID
        headers.token = token
        let check = PayloadCheck(body: try body(), headers: headers, at: Timestamp(seconds: SystemFacts.now))
        if json {
            let json = APIObject<PayloadCheckShape>(check).serialized
            Console.standard.answer(String(decoding: json, as: UTF8.self))
        } else {
            let name = file == "-" ? "standard input" : file
            Console.standard.answer(CheckReport(name: name, check: check).text)
        }
        let fails = check.refusal != nil || check.count(.error) > 0 || strict && check.count(.warning) > 0
        if fails { throw ExitCode(CommandFailure.Status.unmet.rawValue) }
    }

    private func body() throws -> [UInt8] {
        do {
            return try AtomicFile.input(file, option: "file", limit: Self.largestFile)
        } catch let failure as CommandFailure {
            throw CommandFailure(.noInput, failure.message)
        }
    }
}
