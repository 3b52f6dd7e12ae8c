import MockAPNsRules
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import MockAPNsTransport

/// The listening side, over real sockets of the loopback interface.
@Suite struct TransportServerTests {
    /// What the responders of all loops were told.
    private final class Ledger: Sendable {
        let closings = Mutex<[CloseReason]>([])
        let connections = Mutex<[ConnectionInfo]>([])
        let loops = Mutex<Set<ObjectIdentifier>>([])
        private let ended = AsyncStream.makeStream(of: Void.self)

        /// A connection has ended.
        func close(_ reason: CloseReason) {
            closings.withLock { $0.append(reason) }
            ended.continuation.yield()
        }

        /// Awaits the end of one more connection.
        func awaitClosing() async { for await _ in ended.stream { return } }
    }

    private final class Factory: ResponderFactory {
        let ledger: Ledger
        let recorder = Recorder()

        init(ledger: Ledger) { self.ledger = ledger }

        func fault(of connection: ConnectionInfo) -> ConnectionFault? { recorder.fault(of: connection) }

        func connectionOpened(_ connection: ConnectionInfo) -> any ConnectionResponder {
            ledger.connections.withLock { $0.append(connection) }
            return Responder(ledger: ledger, other: recorder.connectionOpened(connection))
        }

        func handshakeFailed(_ connection: ConnectionInfo, because reason: CloseReason) { ledger.close(reason) }
    }

    private final class Responder: ConnectionResponder {
        let ledger: Ledger
        let other: any ConnectionResponder

        init(ledger: Ledger, other: any ConnectionResponder) {
            self.ledger = ledger
            self.other = other
        }

        func respond(to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount) -> Response {
            other.respond(to: request, streamID: streamID, after: idle)
        }

        func refused(_ request: borrowing RequestView, streamID: Int32, because problem: RequestProblem) {
            other.refused(request, streamID: streamID, because: problem)
        }

        func readCompleted() { other.readCompleted() }

        func closed(because reason: CloseReason) { ledger.close(reason) }
    }

    private func withServer(
        options: TransportOptions = .lifted, admission: ConnectionAdmission = ConnectionAdmission(),
        _ use: (TransportServer, Ledger) async throws -> Void
    ) async throws -> Ledger {
        try await withServerPlace {
            let ledger = Ledger()
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
            let server = try await TransportServer(group: group, options: options.patient, admission: admission) {
                loop in
                ledger.loops.withLock { _ = $0.insert(ObjectIdentifier(loop)) }
                return Factory(ledger: ledger)
            }
            try await use(server, ledger)
            await server.stop(grace: .seconds(10))
            try await group.shutdownGracefully()
            return ledger
        }
    }

    /// Says everything, and hears what comes until `enough` is true or the server hangs up.
    private func converse(
        with address: SocketAddress, tls: TLSPeer? = nil, saying bytes: [UInt8],
        until enough: ([Frame]) async throws -> Bool = { _ in false }
    ) async throws -> [Frame] {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(to: address) {
            channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        let heard = Mutex<[Frame]>([])
        do {
            try await channel.executeThenClose { inbound, outbound in
                var frames: [Frame] = []
                defer { heard.withLock { [frames] in $0 = frames } }
                var reader = FrameReader()
                var isSaid = false
                try tls?.handshake()
                if let hello = tls?.takeCiphertext() { try await outbound.write(ByteBuffer(bytes: hello)) }
                if tls == nil {
                    try await outbound.write(ByteBuffer(bytes: bytes))
                    isSaid = true
                }
                for try await buffer in inbound {
                    var plaintext = Array(buffer.readableBytesView)
                    if let tls {
                        tls.receive(plaintext)
                        try tls.handshake()
                        plaintext = tls.isEstablished ? try tls.decrypt() : []
                        var more = tls.takeCiphertext()
                        if tls.isEstablished, !isSaid {
                            more += tls.encrypt(bytes)
                            isSaid = true
                        }
                        try await outbound.write(ByteBuffer(bytes: more))
                    }
                    reader.append(plaintext)
                    while let frame = try reader.next() { frames.append(frame) }
                    if try await enough(frames) { break }
                }
            }
        } catch ChannelError.ioOnClosedChannel where !heard.withLock({ $0.isEmpty }) {
            // The server has said something and closed before the client could: no mistake of either.
        }
        return heard.withLock { $0 }
    }

    private let greeting = Frame.preface + Frame.settings([]).encoded + Frame.settingsAck.encoded

    private func push(_ streams: Int32...) -> [UInt8] { streams.flatMap { Frame.headers($0, .push()).encoded } }

    /// A connection over the limit is closed before anything is said on it; one that ends makes room.
    @Test func `closes connections over the limit before they say anything`() async throws {
        let ledger = try await withServer(admission: ConnectionAdmission(most: 1)) { server, ledger in
            let address = try await server.listen(host: "127.0.0.1", port: 0, tls: nil, index: 0)
            let first = try await converse(with: address, saying: greeting) { frames in
                guard !frames.isEmpty else { return false }
                // Where the server was faster, there is nothing to write to.
                let second = try? await converse(with: address, saying: [])
                #expect(second ?? [] == [])
                await ledger.awaitClosing()
                return true
            }
            #expect(!first.isEmpty)
            await ledger.awaitClosing()
            // The place is free a moment after the end was told.
            var third: [Frame] = []
            while third.isEmpty { third = (try? await converse(with: address, saying: greeting) { !$0.isEmpty }) ?? [] }
        }
        let codes = ledger.closings.withLock { $0.map(\.code) }
        #expect(codes.first == .tooManyConnections)
        #expect(ledger.connections.withLock { $0.count } == 2)
    }

    @Test func `serves on a port of the system's choice`() async throws {
        let ledger = try await withServer { server, ledger in
            let clear = try await server.listen(host: "127.0.0.1", port: 0, tls: nil, index: 0)
            let secure = try await server.listen(host: "127.0.0.1", port: 0, tls: TLSFixture.context, index: 1)
            #expect(clear.port != secure.port)
            let answers = [Frame.headers(1, .status(200)), .headers(3, .status(200))]
            for (address, peer) in [(clear, nil), (secure, try TLSPeer())] {
                let frames = try await converse(with: address, tls: peer, saying: greeting + push(1, 3)) {
                    $0.count == 4
                }
                #expect(frames.suffix(2) == answers)
                // Before the server stops: it would end what it has not heard the end of.
                await ledger.awaitClosing()
            }
        }
        let connections = ledger.connections.withLock { $0 }
        #expect(connections.map(\.listener) == [0, 1])
        #expect(connections.map(\.id) == [1, 2])
        #expect(connections.allSatisfy { $0.remoteAddress.hasPrefix("127.0.0.1:") })
        #expect(connections.last?.tls?.serverName == "localhost")
        #expect(ledger.closings.withLock { $0.map(\.code) } == [.closedByPeer, .closedByPeer])
        #expect(ledger.loops.withLock { $0.count } == 2)
    }

    @Test func `answers 5,000 pushes sent at once`() async throws {
        // The client sends everything at once, so all of it may be open at once.
        let options = TransportOptions.with {
            $0.streamsBeforeAuthentication = 5_000
            $0.maxConcurrentStreams = 5_000
        }
        _ = try await withServer(options: options) { server, _ in
            let address = try await server.listen(host: "127.0.0.1", port: 0, tls: TLSFixture.context, index: 0)
            let streams = (0..<5_000).map { Int32(2 * $0 + 1) }
            let bytes = streams.flatMap { Frame.headers($0, .push()).encoded }
            let frames = try await converse(with: address, tls: try TLSPeer(), saying: greeting + bytes) {
                $0.last == .headers(9_999, .status(200))
            }
            let heads = frames.filter { if case .headers = $0 { true } else { false } }
            #expect(heads == streams.map { .headers($0, .status(200)) })
        }
    }

    @Test func `stops after the last stream`() async throws {
        let ledger = try await withServer { server, ledger in
            let address = try await server.listen(host: "127.0.0.1", port: 0, tls: nil, index: 0)
            let frames = try await converse(with: address, saying: greeting + push(1)) { frames in
                if frames.last == .headers(1, .status(200)) { await server.stop(grace: .hours(1)) }
                return false
            }
            #expect(frames.last == .goAway(last: 1, .noError, "{\"reason\":\"Shutdown\"}"))
        }
        #expect(ledger.closings.withLock { $0.map(\.code) } == [.shutdown])
    }

    @Test func `does not wait longer than its grace`() async throws {
        let ledger = try await withServer { server, ledger in
            let address = try await server.listen(host: "127.0.0.1", port: 0, tls: nil, index: 0)
            let open = Frame.headers(1, .push(), end: false).encoded
            let ping = Frame.ping([0, 0, 0, 0, 0, 0, 0, 0])
            let pong = Frame.pong([0, 0, 0, 0, 0, 0, 0, 0])
            let frames = try await converse(with: address, saying: greeting + open + ping.encoded) { frames in
                if frames.last == pong { await server.stop(grace: .milliseconds(1)) }
                return false
            }
            #expect(frames.contains(.goAway(last: 1, .noError, "{\"reason\":\"Shutdown\"}")))
        }
        #expect(ledger.closings.withLock { $0.map(\.code) } == [.shutdown])
    }

    // MARK: Closing connections

    private let shutdown = Frame.goAway(last: 1, .noError, "{\"reason\":\"Shutdown\"}")

    /// Those that are there end; those that come later are served.
    @Test func `closes the connections there are`() async throws {
        let ledger = try await withServer { server, ledger in
            let address = try await server.listen(host: "127.0.0.1", port: 0, tls: nil, index: 0)
            for _ in 0..<3 {
                let frames = try await converse(with: address, saying: greeting + push(1)) { frames in
                    if frames.last == .headers(1, .status(200)) { await server.closeConnections(grace: .hours(1)) }
                    return false
                }
                #expect(frames.last == shutdown)
            }
        }
        #expect(ledger.closings.withLock { $0.map(\.code) } == [.shutdown, .shutdown, .shutdown])
    }

    @Test func `closes what is still busy after its grace`() async throws {
        let ledger = try await withServer { server, ledger in
            let address = try await server.listen(host: "127.0.0.1", port: 0, tls: nil, index: 0)
            let open = Frame.headers(1, .push(), end: false).encoded
            let pong = Frame.pong([0, 0, 0, 0, 0, 0, 0, 0])
            let bytes = greeting + open + Frame.ping([0, 0, 0, 0, 0, 0, 0, 0]).encoded
            let frames = try await converse(with: address, saying: bytes) { frames in
                if frames.last == pong { await server.closeConnections(grace: .milliseconds(1)) }
                return false
            }
            #expect(frames.contains(shutdown))
            let later = try await converse(with: address, saying: greeting + push(1)) {
                $0.last == .headers(1, .status(200))
            }
            #expect(!later.contains(shutdown))
            for _ in 0..<2 { await ledger.awaitClosing() }
        }
        let closings = ledger.closings.withLock { $0 }
        #expect(closings.map(\.code) == [.shutdown, .closedByPeer])
        #expect(closings.first?.detail == "a reset ended the connection before its streams had ended")
    }

    /// Once for those who ask at the same time, and at once where there is nobody.
    @Test func `connections can be closed by many at once`() async throws {
        let ledger = try await withServer { server, _ in
            await server.closeConnections(grace: .hours(1))
            let address = try await server.listen(host: "127.0.0.1", port: 0, tls: nil, index: 0)
            let open = Frame.headers(1, .push(), end: false).encoded
            let pong = Frame.pong([0, 0, 0, 0, 0, 0, 0, 0])
            let bytes = greeting + open + Frame.ping([0, 0, 0, 0, 0, 0, 0, 0]).encoded
            let frames = try await converse(with: address, saying: bytes) { frames in
                guard frames.last == pong else { return false }
                await withTaskGroup { group in
                    // The shortest grace ends what all of them wait for.
                    for grace in [TimeAmount.hours(1), .milliseconds(20), .hours(2)] {
                        group.addTask { await server.closeConnections(grace: grace) }
                    }
                }
                return false
            }
            #expect(frames.filter { $0 == shutdown }.count == 1)
        }
        #expect(ledger.closings.withLock { $0.map(\.code) } == [.shutdown])
    }

    @Test func `refuses connections after it has stopped`() async throws {
        _ = try await withServer { server, _ in
            let address = try await server.listen(host: "127.0.0.1", port: 0, tls: nil, index: 0)
            await server.stop(grace: .hours(1))
            await #expect(throws: (any Error).self) { try await converse(with: address, saying: []) }
        }
    }

    @Test func `reports an address that is in use`() async throws {
        _ = try await withServer { server, _ in
            let first = try await server.listen(host: "127.0.0.1", port: 0, tls: nil, index: 0)
            let port = try #require(first.port)
            do throws(TransportServer.BindProblem) {
                _ = try await server.listen(host: "127.0.0.1", port: port, tls: nil, index: 1)
                Issue.record("the port was bound twice")
            } catch {
                #expect(error.isAddressInUse)
                #expect(error.port == port)
                #expect(error.description == "port \(port) of 127.0.0.1 is in use")
            }
        }
    }

    @Test func `reports an address that is not of this machine`() async throws {
        _ = try await withServer { server, _ in
            do throws(TransportServer.BindProblem) {
                // An address reserved for documentation (RFC 5737), which no machine has.
                _ = try await server.listen(host: "192.0.2.1", port: 0, tls: nil, index: 0)
                Issue.record("a foreign address was bound")
            } catch {
                #expect(!error.isAddressInUse)
                #expect(!error.detail.isEmpty)
            }
        }
    }

    @Test func `writes addresses with brackets around IPv6`() throws {
        #expect(TransportServer.text(try SocketAddress(ipAddress: "127.0.0.1", port: 80)) == "127.0.0.1:80")
        #expect(TransportServer.text(try SocketAddress(ipAddress: "::1", port: 443)) == "[::1]:443")
    }
}
