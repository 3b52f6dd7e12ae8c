internal import ArgumentParser
internal import MockAPNsFormats
internal import NIOCore

/// `mock-apns readyz`: asks a server whether it is ready, for health checks and scripts.
struct ReadyzCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readyz",
        abstract: "Ask whether a server is ready.",
        discussion: """
            Leaves with 0 when it is, 1 when it answers that it is not, 69 when nobody answers.

            Example:
              mock-apns readyz --wait --timeout 10s
            """
    )

    @OptionGroup var api: APIOptions

    @Flag(help: "Ask until it is ready.")
    var wait = false

    @Option(help: ArgumentHelp("How long to wait.", valueName: "duration"))
    var timeout = "30s"

    func run() async throws {
        let client = try api.client()
        let limit: Int64
        do {
            limit = try DurationText.milliseconds(timeout)
        } catch {
            throw CommandFailure(.usage, "--timeout: '\(timeout)' should be \(DurationText.expected)")
        }
        let deadline = NIODeadline.now() + .milliseconds(limit)
        while true {
            let failure: CommandFailure
            do {
                let answer = try await client.send(APIRequest("GET", path: "/readyz"), timeout: .seconds(5))
                if answer.status == 200 {
                    Console.standard.answer("ready")
                    return
                }
                failure = CommandFailure(
                    .unmet,
                    "the server at \(client.address.url) is not ready: \(TerminalText.plain(answer.text))"
                )
            } catch let unreachable as CommandFailure {
                failure = unreachable
            }
            guard wait, NIODeadline.now() < deadline else { throw failure }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
