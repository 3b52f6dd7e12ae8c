internal import MockAPNs
internal import MockAPNsTransport
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Accepts connections to the API, and serves each in a task.
struct HTTPServer: Sendable {
    typealias Listener = NIOAsyncChannel<NIOAsyncChannel<HTTPServerRequestPart, Never>, Never>

    private static let backlog: ChannelOptions.Types.BacklogOption.Value = 256

    let api: DebugAPI
    let connections = OpenConnections()
    let streams = OpenStreams()

    /// `run` must follow.
    func bind(host: String, port: Int, on group: any EventLoopGroup) async throws -> Listener {
        let admission = api.subject.server.admission
        return try await ServerBootstrap(group: group).serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pause = admission.makePause(for: "the API's listener")
                    try channel.pipeline.syncOperations.addHandler(pause)
                }
            }.childChannelOption(.allowRemoteHalfClosure, value: true).bind(host: host, port: port) {
                [connections, settings = api.settings] channel in
                channel.eventLoop.makeCompletedFuture {
                    connections.add(channel)
                    let pipeline = channel.pipeline.syncOperations
                    let timer = HeadTimer(limit: settings.head)
                    try pipeline.addHandler(timer)
                    // The connection's task takes requests in turn, and answers malformed ones in order.
                    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
                    try pipeline.addHandler(IdleStateHandler(allTimeout: settings.idle))
                    try pipeline.addHandler(ConnectionHandler(connections, timer))
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Serves connections; returns when the listener and every connection are closed.
    func run(_ listener: Listener) async {
        await withDiscardingTaskGroup { group in
            try? await listener.executeThenClose { accepted in
                for try await channel in accepted {
                    group.addTask { await HTTPConnection(channel: channel.channel, server: self).serve(channel) }
                }
            }
        }
    }
}
