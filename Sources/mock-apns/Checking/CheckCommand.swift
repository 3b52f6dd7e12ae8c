internal import ArgumentParser
internal import MockAPNsInspector
internal import MockAPNsQuery
internal import MockAPNsRules

/// `mock-apns check`: lints a payload without a server.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is odd about a payload, and what APNs would answer; needs no server.",
        discussion: """
            Only the headers that are given are judged. The exit code is 0 when there is no error, 1 when there is \
            one or APNs would refuse the push, and 66 when the file cannot be read. docs/lints.md explains every lint.

            Example:
              mock-apns check payload.json --push-type background --priority 5
              make-payload | mock-apns check -
            """
    )

    /// The largest file; no payload may have more than a few kilobytes.
    private static let largestFile = 1 << 20

    @Argument(
        help: ArgumentHelp("The payload, - for standard input.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var file: String

    @Option(
        help: ArgumentHelp("The value of apns-push-type. (default: told from the payload)", valueName: "type")
    )
    var pushType: String?

    @Option(help: ArgumentHelp("The value of apns-topic.", valueName: "topic"))
    var topic: String?

    @Option(help: ArgumentHelp("The value of apns-priority.", valueName: "10|5|1"))
    var priority: String?

    @Option(help: ArgumentHelp("The value of apns-expiration.", valueName: "seconds"))
    var expiration: String?

    @Option(help: ArgumentHelp("The value of apns-collapse-id.", valueName: "id"))
    var collapseID: String?

    @Option(help: ArgumentHelp("The device token.", valueName: "hex"))
    var token: String?

    @Flag(help: "Warnings fail, too.")
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
            Console.standard.answer(String(decoding: check.json, as: UTF8.self))
        } else {
            let name = file == "-" ? "standard input" : file
            Console.standard.answer(CheckReport(name: name, check: check).text)
        }
        let fails = check.refusal != nil || check.count(.error) > 0 || strict && check.count(.warning) > 0
        if fails { throw ExitCode(CommandFailure.Status.unmet.rawValue) }
    }

    private func body() throws -> [UInt8] {
        do {
            let path = file == "-" ? "/dev/stdin" : file
            if let bytes = try AtomicFile.readBytes(path, limit: Self.largestFile) { return bytes }
        } catch let failure as CommandFailure {
            throw CommandFailure(.noInput, failure.message)
        }
        throw CommandFailure(.noInput, "there is no file \(file)")
    }
}
