import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import MockAPNsTransport

/// Answers that wait until what they acknowledge is safe.
@Suite struct ResponseHoldTests {
    private let held = NIOLockedValueBox<[@Sendable (Bool) -> Void]>([])

    /// A client whose pushes are answered only when somebody says so.
    private func makeClient() throws -> Client {
        let client = try Client()
        client.recorder.heldAnswers = held
        return client
    }

    /// Lets the answers of a read go, or not.
    private func proceed(_ client: Client, read number: Int = 0, isSafe: Bool = true) {
        // The client holds the box, and an answer the client, so it is taken out.
        let answer = held.withLockedValue { answers in
            defer { answers[number] = { _ in } }
            return answers[number]
        }
        answer(isSafe)
        client.channel.embeddedEventLoop.run()
    }

    @Test func `sends answers only after the changes are safe`() throws {
        let client = try makeClient()
        try client.send(.headers(1, .push()), .headers(3, .push()))
        try client.expectSilence()
        #expect(client.recorder.requests.count == 2)
        proceed(client)
        try client.expect(.headers(1, .status(200)), .headers(3, .status(200)))
    }

    @Test func `answers of each read wait for its own changes`() throws {
        let client = try makeClient()
        try client.send(.headers(1, .push()))
        try client.send(.headers(3, .push()))
        proceed(client)
        try client.expectSilence()
        proceed(client, read: 1)
        try client.expect(.headers(1, .status(200)), .headers(3, .status(200)))
    }

    @Test func `the timer does not send answers that wait`() throws {
        let client = try makeClient()
        try client.send(.headers(1, .push()))
        client.advance(.seconds(1))
        try client.expectSilence()
        // The timer completes a read, too.
        for read in 0..<held.withLockedValue({ $0.count }) { proceed(client, read: read) }
        try client.expect(.headers(1, .status(200)))
    }

    @Test func `ends the connection without an answer if it cannot become safe`() throws {
        let client = try makeClient()
        try client.send(.headers(1, .push()))
        proceed(client, isSafe: false)
        try client.expectSilence()
        #expect(client.recorder.closeReason?.code == .unsaved)
    }

    @Test func `reads nothing while answers wait`() throws {
        let client = try makeClient()
        try client.send(.headers(1, .push()))
        let handler = try client.channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
        client.channel.read()
        #expect(handler.isReadHeld)
        proceed(client)
        #expect(!handler.isReadHeld)
    }

    @Test func `a connection that ended meanwhile stays ended`() throws {
        let client = try makeClient()
        try client.send(.headers(1, .push()))
        let handler = try client.channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
        handler.close(because: CloseReason(.ioError, "gone"))
        proceed(client)
        #expect(client.recorder.closeReason?.code == .ioError)
    }
}
