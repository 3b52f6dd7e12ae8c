import NIOCore
import NIOPosix

/// A connection to a clear-text listener, for tests.
struct Client: Sendable {
    let channel: any Channel
    private let handler: NIOLoopBound<ClientHandler>

    /// Connects, on one thread of its own loops or on the loop given.
    static func connect(
        to port: Int, on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws -> Client {
        try await ClientBootstrap(group: group).channelOption(.tcpOption(.tcp_nodelay), value: 1).connect(
            host: "127.0.0.1", port: port
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                let handler = ClientHandler(eventLoop: channel.eventLoop)
                try channel.pipeline.syncOperations.addHandler(handler)
                return Client(channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop))
            }
        }
    }

    /// Runs on the connection's loop.
    func onLoop<Result: Sendable>(_ use: @escaping @Sendable (ClientHandler) throws -> Result) async throws -> Result {
        try await channel.eventLoop.submit { try use(handler.value) }.get()
    }

    /// Sends a request and awaits its answer.
    func send(_ push: Push) async throws -> Reply { try await send([push])[0] }

    /// Sends requests in one write and awaits all answers, in the order of the requests.
    func send(_ pushes: [Push]) async throws -> [Reply] {
        try await channel.eventLoop.flatSubmit {
            EventLoopFuture.whenAllSucceed(handler.value.send(pushes), on: channel.eventLoop)
        }.get()
    }

    /// Sends requests in one write and awaits what becomes of each.
    func attempt(_ pushes: [Push]) async throws -> [Result<Reply, any Error>] {
        try await channel.eventLoop.flatSubmit {
            EventLoopFuture.whenAllComplete(handler.value.send(pushes), on: channel.eventLoop)
        }.get()
    }

    /// Sends a request's headers alone; the answer is still to come.
    func begin(_ push: Push) async throws -> (stream: Int32, reply: EventLoopFuture<Reply>) {
        try await onLoop { $0.begin(push) }
    }

    /// Sends the body of a request begun before.
    func complete(_ push: Push, on stream: Int32) async throws { try await onLoop { $0.complete(push, on: stream) } }

    /// Awaits everything that the server has sent so far.
    func ping() async throws { try await channel.eventLoop.flatSubmit { handler.value.ping() }.get() }

    /// The SETTINGS frames heard so far.
    var settings: [[UInt32: UInt32]] {
        get async throws {
            try await ping()
            return try await onLoop { $0.settings }
        }
    }

    /// The stream limits heard so far.
    var streamLimits: [UInt32] { get async throws { try await settings.compactMap { $0[3] } } }

    /// The first GOAWAY.
    var goAway: ClientHandler.GoAway {
        get async throws { try await channel.eventLoop.flatSubmit { handler.value.goneAway.futureResult }.get() }
    }

    /// Awaits the end of the connection.
    func closed() async throws { try await channel.closeFuture.get() }

    /// Hangs up.
    func close() async throws { try await channel.close().get() }
}
