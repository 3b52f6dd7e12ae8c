public import MockAPNsRules
internal import NIOConcurrencyHelpers
public import NIOCore
internal import NIOPosix

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The listeners: binds addresses, and assigns each connection to an event loop.
public final class TransportServer: Sendable {
    /// The reason why an address could not be bound.
    public struct BindProblem: Error, CustomStringConvertible {
        /// The requested address.
        public let host: String
        /// The requested port.
        public let port: Int
        /// Whether the port is already in use.
        public let isAddressInUse: Bool
        /// The operating system's error message.
        public let detail: String
        /// The address and the error message.
        public var description: String {
            isAddressInUse ? "port \(port) of \(host) is in use" : "cannot listen on \(host):\(port): \(detail)"
        }

        /// Explains the error of a system call that binds an address.
        public init(host: String, port: Int, _ error: any Error) {
            let code = (error as? IOError)?.errnoCode
            (self.host, self.port) = (host, port)
            isAddressInUse = code == EADDRINUSE
            let reason = code.map { String(cString: strerror($0)) } ?? "\(error)"
            detail = reason.prefix(1).lowercased() + reason.dropFirst()
        }
    }

    private let group: any EventLoopGroup
    private let loops: [NIOLoopBound<TransportLoop>]
    private let listeners = NIOLockedValueBox<[any Channel]>([])
    private let admission: ConnectionAdmission

    /// Creates a server on every loop of `group`.
    ///
    /// `makeFactory` is called once on each loop, and its result is used only on that loop. Servers that
    /// share an `admission` share its limit and never give two connections the same number. With a `gate`, input waits until
    /// the gate lets it in.
    public init(
        group: any EventLoopGroup, options: TransportOptions, admission: ConnectionAdmission = ConnectionAdmission(),
        gate: (any InputGate)? = nil, makeFactory: @escaping @Sendable (any EventLoop) -> any ResponderFactory
    ) async throws {
        self.group = group
        self.admission = admission
        var loops: [NIOLoopBound<TransportLoop>] = []
        for eventLoop in group.makeIterator() {
            loops.append(
                try await eventLoop.submit {
                    let factory = makeFactory(eventLoop)
                    let loop = TransportLoop(eventLoop: eventLoop, options: options, factory: factory, gate: gate)
                    return NIOLoopBound(loop, eventLoop: eventLoop)
                }.get())
        }
        self.loops = loops
    }

    /// Listens on an address; connections are accepted when this returns.
    ///
    /// - Parameters:
    ///   - host: The host name or address to bind.
    ///   - port: The port to bind; 0 for any free one.
    ///   - tls: The TLS context; `nil` for clear-text HTTP/2 with prior knowledge.
    ///   - faultyTLS: The certificates of faults; without them, such a fault refuses the connection.
    ///   - index: The value of `ConnectionInfo.listener` for connections accepted here.
    ///   - interface: What the listener offers.
    /// - Returns: The bound address, with the port that the system selected.
    /// - Throws: `BindProblem`.
    public func listen(
        host: String, port: Int, tls: TLSContext?, faultyTLS: FaultyTLS? = nil, index: Int,
        interface: ProviderInterface = .http2
    ) async throws(BindProblem) -> SocketAddress {
        let bootstrap = ServerBootstrap(group: group).serverChannelOption(.backlog, value: 1_024).serverChannelOption(
            .socketOption(.so_reuseaddr), value: 1
        ).serverChannelInitializer { [admission] channel in
            channel.eventLoop.makeCompletedFuture {
                let pause = admission.makePause(for: "the APNs listener")
                try channel.pipeline.syncOperations.addHandler(pause)
            }
        }.childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A client that has closed its side may still read responses.
            .childChannelOption(.allowRemoteHalfClosure, value: true).childChannelOption(
                .recvAllocator,
                // The buffer of an idle connection keeps the size of its last reads.
                value: AdaptiveRecvByteBufferAllocator(minimum: 2_048, initial: 2_048, maximum: 65_536)
            ).childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try self.accept(channel, tls: tls, faultyTLS: faultyTLS, index: index, interface: interface)
                }
            }
        do {
            let channel = try await bootstrap.bind(host: host, port: port).get()
            listeners.withLockedValue { $0.append(channel) }
            guard let address = channel.localAddress else { throw ChannelError.unknownLocalAddress }
            return address
        } catch { throw BindProblem(host: host, port: port, error) }
    }

    private func accept(
        _ channel: any Channel, tls: TLSContext?, faultyTLS: FaultyTLS?, index: Int, interface: ProviderInterface
    ) throws {
        guard let loop = loops.first(where: { $0.eventLoop === channel.eventLoop })?.value else {
            throw ChannelError.inappropriateOperationForState
        }
        let info = ConnectionInfo(
            id: admission.next(), listener: index, remoteAddress: channel.remoteAddress.map(Self.text) ?? "unknown",
            interface: interface)
        if let reason = admission.takePlace() {
            loop.factory.handshakeFailed(info, because: reason)
            throw reason
        }
        channel.closeFuture.whenComplete { [admission] _ in admission.givePlaceBack() }
        var fault = loop.factory.fault(of: info)
        var connection: TLSConnection?
        if var context = tls {
            if let handshake = fault?.handshake, [.expiredCertificate, .wrongHost].contains(handshake) {
                if let faulty = faultyTLS?.context(for: handshake) {
                    context = faulty
                } else {
                    fault?.handshake = .refuse
                }
            }
            connection = TLSConnection(context: context, outbound: ByteBuffer(), fault: fault?.handshake) {
                [factory = loop.factory] in factory.judge($0, listener: info.listener)
            }
            guard connection != nil else { throw ChannelError.inappropriateOperationForState }
        }
        try channel.pipeline.syncOperations.addHandler(
            ConnectionHandler(loop: loop, info: info, tls: connection, fault: fault, now: channel.eventLoop.now))
    }

    /// Returns an address and a port in the usual notation.
    public static func text(_ address: SocketAddress) -> String {
        let host = address.ipAddress ?? "unknown"
        return (host.contains(":") ? "[\(host)]" : host) + ":\(address.port ?? 0)"
    }

    /// Sends a GOAWAY on every current connection, and ends the remaining ones a second after `grace`.
    public func closeConnections(grace: TimeAmount) async {
        await close(grace: grace, because: "a reset ended the connection before its streams had ended")
    }

    /// Accepts no new connections, lets open streams finish, and ends the rest a second after `grace`.
    public func stop(grace: TimeAmount) async {
        let channels = listeners.withLockedValue { listeners in
            defer { listeners = [] }
            return listeners
        }
        // It is fine if a listener is already closed.
        for channel in channels { _ = try? await channel.close().get() }
        let reason = "the server stopped before the connection had ended"
        await close(grace: grace, isLast: true, because: reason)
    }

    private func close(grace: TimeAmount, isLast: Bool = false, because detail: String) async {
        let ended = loops.map { loop in
            loop.eventLoop.flatSubmit {
                if isLast { loop.value.isShuttingDown = true }
                return loop.value.close(grace: grace, because: CloseReason(.shutdown, detail))
            }
        }
        for future in ended { _ = try? await future.get() }
    }
}
