internal import MockAPNsAPI
internal import MockAPNsClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Requests of commands: what fails ends a command.
extension APIClient {
    func send(_ request: APIRequest) async throws -> APIResponse {
        let deadline = NIODeadline.now() + request.timeout
        do { return try await send(request, until: deadline) } catch {
            throw failure(error, timedOut: NIODeadline.now() >= deadline ? request.timeout : nil)
        }
    }

    @discardableResult func ask(_ request: APIRequest) async throws -> APIResponse {
        let response = try await send(request)
        try check(response, to: request)
        return response
    }

    /// Checks that the API accepted a request.
    func check(_ response: APIResponse, to request: APIRequest) throws {
        if response.isSuccess, response.answers(request) { return }
        guard let problem = response.problem else {
            throw CommandFailure(
                .unreachable,
                "the server at \(address.url) (status \(response.status)) is not a debug API of mock-apns;"
                    + " use the api= URL of the ready line")
        }
        let kind = response.problemKind
        // The hint is about what the request names, not about its namespace.
        let isMissing = response.status == 404 && kind != .unknownNamespace
        let hint = (isMissing ? request.hint : nil) ?? kind?.hint
        let name = kind == .badBody ? request.file.map { "invalid --file '\(TerminalText.plain($0))': " } : nil
        throw CommandFailure(response.exitStatus, (name ?? "") + problem + (hint.map { "\n  " + $0 } ?? ""))
    }

    /// Passes every event of a stream to `receive`, until that returns `false`.
    func stream(_ request: APIRequest, _ receive: (ServerSentEvent) throws -> Bool) async throws {
        var parser = EventStreamParser()
        var isOpen = false
        do {
            let refusal = try await self.receive(request) { bytes in
                for event in parser.events(in: bytes) {
                    isOpen = true
                    guard try receive(event) else { return false }
                }
                return true
            }
            if let refusal { try check(refusal, to: request) }
        } catch let error where !(error is CommandFailure || error is CancellationError) {
            guard isOpen else { throw failure(error, timedOut: nil) }
            throw CommandFailure(.unreachable, "the connection to \(address.url) has ended")
        }
    }

    private func failure(_ error: any Error, timedOut: TimeAmount?) -> CommandFailure {
        let url = address.url
        let message =
            switch (error, timedOut) {
            case (is HTTPParserError, nil):
                "the server at \(url) does not speak HTTP; use the api= URL of the ready line"
            case (ChannelError.inputClosed, nil), (ChannelError.eof, nil):
                "\(url) closed the connection before the end of its response"
            case (is NIOConnectionError, _), (ChannelError.connectTimeout, _), (_, nil):
                "cannot connect to \(url) (\(Self.describe(error)));"
                    + " start a server with mock-apns serve, or set --api to the URL of its debug API"
            case (_, let limit?): "\(url) has not responded within \(limit.nanoseconds / 1_000_000_000) seconds"
            }
        return CommandFailure(.unreachable, message)
    }

    private static func describe(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: error.connectionErrors.last.map { describe($0.error) } ?? "unknown host"
        case let error as IOError: SystemFacts.describe(errno: error.errnoCode)
        case ChannelError.connectTimeout: "connection timed out"
        default: "\(error)"
        }
    }
}

extension APIAddress {
    /// The failure when the server ends a stream.
    func connectionEnded(_ reason: String) -> CommandFailure {
        CommandFailure(.unreachable, "\(url) has ended the connection (\(TerminalText.plain(reason)))")
    }
}
