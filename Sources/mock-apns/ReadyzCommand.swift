internal import ArgumentParser
internal import NIOCore

/// `mock-apns readyz`: asks a server whether it is ready, for health checks and scripts.
struct ReadyzCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readyz",
        abstract: "Ask whether a server is ready.",
        discussion: "Leaves with 0 when it is, 1 when it answers that it is not, 69 when nobody answers."
    )

    @Option(
        help: ArgumentHelp(
            "The server's debug API. (default: where serve listens with this environment)",
            valueName: "url"
        )
    )
    var api: String?

    @Flag(help: "Ask until it is ready.")
    var wait = false

    @Option(help: ArgumentHelp("How long to wait.", valueName: "duration"))
    var timeout = "30s"

    func run() async throws {
        var settings = Settings(environment: SystemFacts.environment)
        let client = try settings.value("api-listen", flag: api, flagName: "api", default: "127.0.0.1:8197") {
            try APIClient(url: $0)
        }
        let limit: Int64
        do {
            limit = try DurationText.milliseconds(timeout)
        } catch {
            throw ValidationError("--timeout: '\(timeout)' should be \(DurationText.expected)")
        }
        let deadline = NIODeadline.now() + .milliseconds(limit)
        while true {
            let failure: CommandFailure
            do {
                let answer = try await client.get("/readyz")
                if answer.status == 200 {
                    Console.standard.answer("ready")
                    return
                }
                failure = CommandFailure(
                    .unmet,
                    "the server at \(client.host):\(client.port) is not ready: \(answer.body)"
                )
            } catch {
                failure = CommandFailure(
                    .unreachable,
                    "nobody answers at \(client.host):\(client.port); is mock-apns serve running there?"
                )
            }
            guard wait, NIODeadline.now() < deadline else { throw failure }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
