import MockAPNsRules
import NIOCore
import Testing

@testable import MockAPNsTransport

/// Responses that wait for the answer of another service.
@Suite struct LateAnswerTests {
    private func waiting(
        upTo limit: TimeAmount = .hours(1), answer: Recorder.Answer = .accepted
    ) throws -> (Client, LateAnswer) {
        let client = try Client(options: .lifted)
        let late = LateAnswer()
        client.recorder.answer = answer
        client.recorder.faults[1] = WireFault(awaiting: late, upTo: limit)
        return (client, late)
    }

    private func give(_ content: LateAnswer.Content?, _ late: LateAnswer, _ client: Client) {
        late.give(content)
        client.channel.embeddedEventLoop.run()
    }

    @Test func `the content that is given is sent`() throws {
        let (client, late) = try waiting()
        try client.send(.headers(1, .push(Frame.Field("apns-id", "one"))))
        try client.expectSilence()
        try client.expectAlive(stream: 3, besides: 1)
        give(
            LateAnswer.Content(status: 410, headers: [FaultAction.Header("apns-id", "two")], body: Array("{}".utf8)),
            late, client)
        try client.expect(.headers(1, .status(410, Frame.Field("apns-id", "two")), end: false), .data(1, "{}"))
        try client.expectAlive(stream: 5)
    }

    @Test func `without content the response is sent as it is`() throws {
        let (client, late) = try waiting()
        try client.send(.headers(1, .push(Frame.Field("apns-id", "one"))))
        try client.expectSilence()
        give(nil, late, client)
        try client.expect(.headers(1, .status(200, Frame.Field("apns-id", "one"))))
        // Only the first answer counts.
        give(LateAnswer.Content(status: 410, headers: [], body: []), late, client)
        try client.expectSilence()
    }

    @Test func `an answer may be there before the response waits`() throws {
        let (client, late) = try waiting()
        late.give(LateAnswer.Content(status: 429, headers: [], body: []))
        try client.send(.headers(1, .push()))
        client.channel.embeddedEventLoop.run()
        try client.expect(.headers(1, .status(429)))
    }

    @Test func `after the limit the response is sent as it is`() throws {
        let (client, late) = try waiting(upTo: .seconds(10))
        try client.send(.headers(1, .push()))
        client.advance(.milliseconds(9_999))
        try client.expectSilence()
        client.advance(.milliseconds(1))
        try client.expect(.headers(1, .status(200)))
        give(LateAnswer.Content(status: 410, headers: [], body: []), late, client)
        try client.expectSilence()
        try client.expectAlive(stream: 3)
    }

    @Test func `nothing is sent on a stream that the client has reset`() throws {
        let (client, late) = try waiting()
        try client.send(.headers(1, .push()))
        try client.send(.reset(1, .cancel))
        give(LateAnswer.Content(status: 410, headers: [], body: []), late, client)
        try client.expectSilence()
        try client.expectAlive(stream: 3)
    }

    @Test func `nothing happens after the connection has ended`() throws {
        let (client, late) = try waiting()
        try client.send(.headers(1, .push()))
        client.channel.close(promise: nil)
        give(LateAnswer.Content(status: 410, headers: [], body: []), late, client)
        #expect(client.recorder.closeReason != nil)
    }
}
