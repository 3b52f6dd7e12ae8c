internal import MockAPNs
internal import MockAPNsTransport
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Accepts connections to the API, and serves them.
final class HTTPServer: Sendable {
    private static let backlog: ChannelOptions.Types.BacklogOption.Value = 256
    /// Few requests are larger, and a stream keeps its buffer, in bytes.
    private static let firstRead = 512
    private static let largestRead = 64 << 10

    let api: DebugAPI
    let connections = OpenConnections()
    let streams = OpenStreams()

    init(api: DebugAPI) { self.api = api }

    /// `run` must follow.
    func bind(host: String, port: Int, on group: any EventLoopGroup) async throws -> any Channel {
        let admission = api.subject.server.admission
        let reads = AdaptiveRecvByteBufferAllocator(
            minimum: Self.firstRead, initial: Self.firstRead, maximum: Self.largestRead)
        return try await ServerBootstrap(group: group).serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pause = admission.makePause(for: "the API's listener")
                    try channel.pipeline.syncOperations.addHandler(pause)
                }
            }.childChannelOption(.allowRemoteHalfClosure, value: true).childChannelOption(.recvAllocator, value: reads)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    connections.add(channel)
                    let pipeline = channel.pipeline.syncOperations
                    let timer = HeadTimer(limit: api.settings.head)
                    try pipeline.addHandler(timer)
                    // The connection's task takes requests in turn, and answers malformed ones in order.
                    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
                    try pipeline.addHandler(IdleStateHandler(allTimeout: api.settings.idle))
                    try pipeline.addHandler(ConnectionHandler(connections, timer))
                    let parts = RequestParts(channel)
                    try pipeline.addHandler(RequestReader(parts))
                    HTTPConnection(channel: channel, parts: parts, server: self).start()
                }
            }.bind(host: host, port: port).get()
    }

    /// Returns when the listener and every connection are closed.
    func run(_ listener: any Channel) async {
        // The listener cannot be closed with an error that anybody could act on.
        try? await listener.closeFuture.get()
        await connections.untilUnused()
    }
}
