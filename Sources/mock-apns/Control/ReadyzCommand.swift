internal import ArgumentParser
internal import MockAPNsClient
internal import MockAPNsFormats
internal import NIOCore

struct ReadyzCommand: AsyncParsableCommand {
    static let configuration = command(
        "Check whether a server is ready.",
        discussion: "The exit code is 0 when it is, 1 when it responds that it is not, 69 when no server responds.",
        examples: "mock-apns readyz --wait --timeout 10s")

    @OptionGroup var api: APIOptions

    @Flag(help: "Wait until it is ready.") var wait = false

    @Option(help: .value("duration", "How long to wait.")) var timeout = "30s"

    func run() async throws {
        let client = try api.client()
        let limit = try DurationText.milliseconds(timeout, option: "--timeout")
        let deadline = NIODeadline.now() + .milliseconds(limit)
        let request = APIRequest("GET", ["readyz"], in: "/").with(\.timeout, .seconds(5))
        while true {
            do {
                let response = try await client.send(request)
                if response.status == 200 {
                    Console.answer(Terminal.output.styled("ready", .good))
                    return
                }
                let reason = TerminalText.plain(String(decoding: response.body, as: UTF8.self))
                throw CommandFailure(.unmet, "the server at \(client.address.url) is not ready: \(reason)")
            } catch is CommandFailure where wait && NIODeadline.now() < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}
