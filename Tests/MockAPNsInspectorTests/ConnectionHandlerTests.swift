import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import MockAPNsInspector

/// When a connection counts as idle.
struct ConnectionHandlerTests {
    /// A stalled body has a limit of its own, which the client is told of; closing the connection would say nothing.
    @Test func `a connection is idle only without a request or a response`() throws {
        let handler = ConnectionHandler(OpenConnections(), HeadTimer(limit: .seconds(1)))
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        func fallIdle() -> Bool {
            channel.pipeline.fireUserInboundEventTriggered(IdleStateHandler.IdleStateEvent.all)
            return !channel.isActive
        }
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        #expect(!fallIdle())
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "{")))
        #expect(!fallIdle())
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        #expect(!fallIdle())
        let status = HTTPResponseHead(version: .http1_1, status: .ok)
        try channel.writeOutbound(HTTPServerResponsePart.head(status))
        #expect(!fallIdle())
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        #expect(fallIdle())
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
