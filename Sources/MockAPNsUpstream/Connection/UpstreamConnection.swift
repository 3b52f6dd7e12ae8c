internal import MockAPNsTransport
internal import NIOConcurrencyHelpers
package import NIOCore
internal import NIOPosix

/// A connection to an upstream over HTTP/2.
///
/// It is closed by `close()`, by the server, or when it was idle for too long; a closed one fails every request.
package final class UpstreamConnection: Sendable {
    /// Where the connection leads.
    package let address: UpstreamAddress
    private let channel: any Channel
    private let handler: NIOLoopBound<UpstreamHandler>
    private let lastID = NIOLockedValueBox<UInt64>(0)

    private init(_ address: UpstreamAddress, _ channel: any Channel, _ handler: NIOLoopBound<UpstreamHandler>) {
        (self.address, self.channel, self.handler) = (address, channel, handler)
    }

    deinit { channel.close(promise: nil) }

    /// Opens a connection; returns when the server's SETTINGS have arrived.
    ///
    /// Cancelling the task closes it.
    ///
    /// - Throws: `UpstreamError` with the code `connect`, `proxy`, `tls`, `verify`, `alpn`, `protocol`, `timeout` or
    ///   `closed`; `invalid` if the system's authorities cannot be used.
    package static func open(
        _ address: UpstreamAddress, _ options: UpstreamOptions = UpstreamOptions(),
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(UpstreamError) -> UpstreamConnection {
        let channels = OpeningChannels()
        let result: Result<UpstreamConnection, UpstreamError> = await withTaskCancellationHandler {
            do throws(UpstreamError) { return .success(try await open(address, options, on: group, channels)) } catch {
                return .failure(error)
            }
        } onCancel: {
            channels.cancel()
        }
        channels.end()
        if channels.isCancelled { throw UpstreamError(.closed, "it was cancelled", isUnprocessed: true) }
        return try result.get()
    }

    private static func open(
        _ address: UpstreamAddress, _ options: UpstreamOptions, on group: any EventLoopGroup,
        _ channels: OpeningChannels
    ) async throws(UpstreamError) -> UpstreamConnection {
        let tls = try context(for: address, options)
        let loop = group.next()
        let opening = loop.makePromise(of: UpstreamError?.self)
        let place = options.proxy.map { ($0.host, $0.port) } ?? (address.host, address.port)
        // The handler is added to the connection that was made: names have several addresses, and attempts that fail
        // must not count. Nothing is read before.
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(options.times.connect).channelOption(
            .autoRead, value: false
        ).channelOption(.socketOption(.tcp_nodelay), value: 1).channelInitializer { channels.add($0) }
        let channel: any Channel
        let handler: NIOLoopBound<UpstreamHandler>
        do {
            let made = try await bootstrap.connect(host: place.0, port: place.1).get()
            handler = try await made.eventLoop.submit {
                let handler = UpstreamHandler(address, options, tls, now: made.eventLoop.now) { opening.succeed($0) }
                guard let handler else { throw UpstreamError(.connect, "out of memory") }
                let bound = NIOLoopBound(handler, eventLoop: made.eventLoop)
                try made.pipeline.syncOperations.addHandler(handler)
                // It fails only on a closed channel, and the handler has told why it is closed.
                made.setOption(.autoRead, value: true).whenFailure { _ in }
                return bound
            }.get()
            channel = made
        } catch {
            opening.succeed(nil)
            throw connectError(error, place, options)
        }
        let problem: UpstreamError?
        do { problem = try await opening.futureResult.get() } catch {
            throw UpstreamError(.connect, "\(error)", isUnprocessed: true)
        }
        if let problem { throw problem }
        return UpstreamConnection(address, channel, handler)
    }

    private static func context(
        for address: UpstreamAddress, _ options: UpstreamOptions
    ) throws(UpstreamError) -> ClientTLSContext? {
        guard address.isSecure else { return nil }
        if let tls = options.tls { return tls }
        do throws(TLSContext.Problem) { return try ClientTLSContext() } catch {
            throw UpstreamError(.invalid, error.description, isUnprocessed: true)
        }
    }

    private static func connectError(
        _ error: any Error, _ place: (host: String, port: Int), _ options: UpstreamOptions
    ) -> UpstreamError {
        let reason: String
        switch error {
        case ChannelError.connectTimeout:
            return UpstreamError(
                .timeout, "no connection to \(place.host) port \(place.port) within the limit",
                fix: "check the address and the network", isUnprocessed: true)
        case ChannelError.ioOnClosedChannel:
            return UpstreamError(
                .closed, "\(place.host) port \(place.port) closed the connection at once",
                fix: "check the address and the port", isUnprocessed: true)
        case let error as NIOConnectionError:
            let causes = [error.dnsAError, error.dnsAAAAError].compactMap { $0.map { "\($0)" } }
            let tried = error.connectionErrors.map { "\($0.error)" }
            reason = (tried.isEmpty ? causes : tried).first ?? "no address"
        default: reason = "\(error)"
        }
        return UpstreamError(
            .connect, "cannot connect to \(place.host) port \(place.port): \(reason)",
            fix: options.proxy == nil ? "check the address and the network" : "check HTTPS_PROXY", isUnprocessed: true)
    }

    /// Sends a request, and returns its response, whatever its status.
    ///
    /// Cancelling the task resets the stream.
    ///
    /// - Throws: `UpstreamError` if there is no response; its `isUnprocessed` says whether to send the request again.
    package func send(_ request: UpstreamRequest) async throws(UpstreamError) -> UpstreamAnswer {
        let id = lastID.withLockedValue { id in
            id += 1
            return id
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                channel.eventLoop.execute { [handler] in
                    handler.value.submit(request, id: id) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            channel.eventLoop.execute { [handler] in handler.value.cancel(id) }
        }
        return try result.get()
    }

    /// Sends a PING, and returns how long its response took.
    package func ping() async throws(UpstreamError) -> Duration {
        let result = await withCheckedContinuation { continuation in
            channel.eventLoop.execute { [handler] in handler.value.ping { continuation.resume(returning: $0) } }
        }
        return try result.get()
    }

    /// What the server has sent besides responses, so far.
    package var facts: UpstreamFacts { get async { await ask { $0.facts } } }

    /// Whether the connection takes requests, how many it has, and how many streams it may have.
    package var room: (isOpen: Bool, load: Int, limit: Int) {
        get async { await ask { ($0.takesRequests, $0.load, $0.streamLimit) } }
    }

    private func ask<Value: Sendable>(_ question: @escaping @Sendable (UpstreamHandler) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            channel.eventLoop.execute { [handler] in continuation.resume(returning: question(handler.value)) }
        }
    }

    /// Sends GOAWAY and closes the connection; its open requests fail.
    package func close() async {
        channel.eventLoop.execute { [handler] in
            handler.value.close(UpstreamError(.closed, "the connection was closed by this side"))
        }
        try? await channel.closeFuture.get()
    }
}
