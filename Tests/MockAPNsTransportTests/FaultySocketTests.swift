import MockAPNsRules
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import MockAPNsTransport

/// Faults over real sockets, where a reset is a reset and an end is an end.
@Suite struct FaultySocketTests {
    /// Strikes every connection alike, and tells how it ended.
    private final class Factory: ResponderFactory {
        let plan: Plan

        init(plan: Plan) { self.plan = plan }

        func fault(of connection: ConnectionInfo) -> ConnectionFault? { plan.connection }

        func connectionOpened(_ connection: ConnectionInfo) -> any ConnectionResponder { Responder(plan: plan) }

        func handshakeFailed(_ connection: ConnectionInfo, because reason: CloseReason) {
            plan.endings.continuation.yield(reason)
        }
    }

    private final class Responder: ConnectionResponder {
        let plan: Plan

        init(plan: Plan) { self.plan = plan }

        func respond(to request: borrowing RequestView, streamID: Int32, after idle: TimeAmount) -> Response {
            Response(status: 200, headers: (nil, nil, nil), body: [], liftsStreamLimit: false, fault: plan.answer)
        }

        func refused(_ request: borrowing RequestView, streamID: Int32, because problem: RequestProblem) {}

        func readCompleted() {}

        func closed(because reason: CloseReason) { plan.endings.continuation.yield(reason) }
    }

    /// What goes wrong, and how connections ended.
    private struct Plan: Sendable {
        var answer: WireFault?
        var connection: ConnectionFault?
        let endings = AsyncStream.makeStream(of: CloseReason.self)

        func awaitEnding() async -> CloseReason? {
            for await reason in endings.stream { return reason }
            return nil
        }
    }

    /// How a connection ended in the client's eyes.
    private enum End: Equatable {
        case eof
        case reset
        /// The client had enough.
        case enough
    }

    private func withServer(
        _ plan: Plan, tls: TLSContext? = nil, faultyTLS: FaultyTLS? = nil,
        _ use: (SocketAddress, TransportServer) async throws -> Void
    ) async throws {
        try await withServerPlace {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let server = try await TransportServer(group: group, options: .lifted.patient) { _ in Factory(plan: plan) }
            let address = try await server.listen(host: "127.0.0.1", port: 0, tls: tls, faultyTLS: faultyTLS, index: 0)
            try await use(address, server)
            await server.stop(grace: .seconds(10))
            try await group.shutdownGracefully()
        }
    }

    private func withServer(
        _ plan: Plan, tls: TLSContext? = nil, faultyTLS: FaultyTLS? = nil, _ use: (SocketAddress) async throws -> Void
    ) async throws {
        try await withServer(plan, tls: tls, faultyTLS: faultyTLS) { address, _ in try await use(address) }
    }

    /// Says everything, and hears what comes until the server ends or `enough` has come.
    ///
    /// With `beforeClosing`, something is done before the client closes a connection that it heard enough from.
    private func converse(
        with address: SocketAddress, saying bytes: [UInt8], until enough: Int = .max,
        beforeClosing: () async -> Void = {}
    ) async throws -> (heard: [UInt8], end: End) {
        let heard = Mutex<[UInt8]>([])
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(to: address) {
            channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        do {
            try await channel.executeThenClose { inbound, outbound in
                if !bytes.isEmpty { try await outbound.write(ByteBuffer(bytes: bytes)) }
                for try await buffer in inbound {
                    let count = heard.withLock { heard in
                        heard += buffer.readableBytesView
                        return heard.count
                    }
                    if count >= enough { break }
                }
                await beforeClosing()
            }
        } catch let error as IOError where error.errnoCode == ECONNRESET {
            return (heard.withLock { $0 }, .reset)
        } catch ChannelError.ioOnClosedChannel {
            // The server was first to close, and there was nothing left to close for the client.
        }
        let all = heard.withLock { $0 }
        return (all, all.count >= enough ? .enough : .eof)
    }

    private func frames(_ bytes: [UInt8]) throws -> [Frame] {
        var reader = FrameReader()
        reader.append(bytes)
        var frames: [Frame] = []
        while let frame = try reader.next() { frames.append(frame) }
        return frames
    }

    private let request =
        Frame.preface + Frame.settings([]).encoded + Frame.settingsAck.encoded + Frame.headers(1, .push()).encoded

    @Test(arguments: [false, true]) func `resets the connection`(answers: Bool) async throws {
        let plan = Plan(answer: WireFault(connection: .rst, answers: answers))
        try await withServer(plan) { address in
            let (heard, end) = try await converse(with: address, saying: request)
            #expect(end == .reset)
            // What the server has said may be lost on the way.
            if !answers { #expect(try !frames(heard).contains(.headers(1, .status(200)))) }
            #expect(await plan.awaitEnding() == CloseReason(.fault, "a fault reset the connection"))
        }
    }

    @Test(arguments: [false, true]) func `ends the connection without GOAWAY`(answers: Bool) async throws {
        let plan = Plan(answer: WireFault(connection: .fin, answers: answers))
        try await withServer(plan) { address in
            let (heard, end) = try await converse(with: address, saying: request)
            #expect(end == .eof)
            let frames = try frames(heard)
            #expect(frames.contains(.headers(1, .status(200))) == answers)
            #expect(!frames.contains { if case .goAway = $0 { true } else { false } })
            #expect(await plan.awaitEnding() == CloseReason(.fault, "a fault ended the connection without a goodbye"))
        }
    }

    /// What the client still sends is no reason for a reset, and it is for the client to end the connection.
    @Test func `goes on listening after a fault has ended a connection`() async throws {
        let plan = Plan(answer: WireFault(connection: .fin))
        try await withServer(plan) { address in
            let ended = AsyncStream.makeStream(of: Void.self)
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).channelOption(
                .allowRemoteHalfClosure, value: true
            ).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let ear = Ear(ended: ended.continuation)
                    try channel.pipeline.syncOperations.addHandler(ear)
                }
            }.connect(to: address).get()
            try await channel.writeAndFlush(ByteBuffer(bytes: request))
            for await _ in ended.stream { break }
            for _ in 0..<16 { try await channel.writeAndFlush(ByteBuffer(repeating: 0, count: 100_000)) }
            try await channel.close()
            #expect(await plan.awaitEnding()?.code == .fault)
        }
    }

    /// Tells when the server has said its last.
    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let ended: AsyncStream<Void>.Continuation

        init(ended: AsyncStream<Void>.Continuation) { self.ended = ended }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed { ended.yield() }
        }
    }

    /// The server learns that the client is gone, whether it still reads or not.
    @Test(arguments: [FaultAction.Break.stall, .blackhole]) func `falls silent until the client is gone`(
        connection: FaultAction.Break
    ) async throws {
        let goAway = FaultAction.GoAway(lastStream: .zero, close: .never)
        let plan = Plan(answer: WireFault(goAway: goAway, connection: connection))
        try await withServer(plan) { address in
            // SETTINGS, its acknowledgement and the GOAWAY, and not a byte more.
            let (heard, end) = try await converse(with: address, saying: request, until: 39 + 9 + 17)
            #expect(end == .enough)
            #expect(try frames(heard).last == .goAway(last: 0, .noError, ""))
            #expect(await plan.awaitEnding()?.code == .fault)
        }
    }

    /// Silent connections are not waited for.
    @Test(arguments: [FaultAction.Break.stall, .blackhole]) func `ends with the server while it is silent`(
        connection: FaultAction.Break
    ) async throws {
        let goAway = FaultAction.GoAway(lastStream: .zero, close: .never)
        let plan = Plan(answer: WireFault(goAway: goAway, connection: connection))
        try await withServer(plan) { address, server in
            let (_, end) = try await converse(with: address, saying: request, until: 39 + 9 + 17) {
                await server.stop(grace: .hours(1))
            }
            #expect(end == .enough)
            #expect(await plan.awaitEnding()?.code == .fault)
        }
    }

    @Test(arguments: [nil, TLSFixture.context]) func `refuses connections`(tls: TLSContext?) async throws {
        var fault = ConnectionFault()
        fault.handshake = .refuse
        let plan = Plan(connection: fault)
        try await withServer(plan, tls: tls) { address in
            let (heard, _) = try await converse(with: address, saying: [])
            #expect(heard.isEmpty)
            #expect(await plan.awaitEnding() == CloseReason(.fault, "a fault refused the connection"))
        }
    }

    @Test func `begins later`() async throws {
        var fault = ConnectionFault()
        fault.handshake = .delay(1_000)
        fault.settings.delay = 1_000
        let plan = Plan(answer: WireFault(delay: .milliseconds(1)), connection: fault)
        try await withServer(plan) { address in
            let (heard, _) = try await converse(with: address, saying: request, until: 39 + 9 + 10)
            #expect(try frames(heard).last == .headers(1, .status(200)))
        }
    }

    // MARK: Certificates

    @Test(arguments: [FaultAction.Handshake.expiredCertificate, .wrongHost]) func `shows the certificate of the fault`(
        handshake: FaultAction.Handshake
    ) async throws {
        let made = Mutex<[FaultAction.Handshake]>([])
        let faulty = FaultyTLS { fault in
            made.withLock { $0.append(fault) }
            let shown = fault == .expiredCertificate ? TLSFixture.expired : TLSFixture.elsewhere
            return TLSFixture.context(showing: shown)
        }
        var fault = ConnectionFault()
        fault.handshake = handshake
        let plan = Plan(connection: fault)
        try await withServer(plan, tls: TLSFixture.context, faultyTLS: faulty) { address in
            for _ in 0..<2 {
                let peer = try TLSPeer(.init())
                let failure = try await handshakeFailure(of: peer, with: address)
                #expect(failure?.contains("certificate verify failed") == true)
                #expect(await plan.awaitEnding()?.code == .fault)
            }
        }
        #expect(made.withLock { $0 } == [handshake])
    }

    @Test func `refuses where there is no certificate to show`() async throws {
        var fault = ConnectionFault()
        fault.handshake = .wrongHost
        let plan = Plan(connection: fault)
        for faulty in [nil, FaultyTLS { _ in nil }] {
            try await withServer(plan, tls: TLSFixture.context, faultyTLS: faulty) { address in
                let (heard, _) = try await converse(with: address, saying: [])
                #expect(heard.isEmpty)
                #expect(await plan.awaitEnding() == CloseReason(.fault, "a fault refused the connection"))
            }
        }
    }

    private func handshakeFailure(of peer: TLSPeer, with address: SocketAddress) async throws -> String? {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(to: address) {
            channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try peer.handshake()
            try await outbound.write(ByteBuffer(bytes: peer.takeCiphertext()))
            for try await buffer in inbound {
                peer.receive(Array(buffer.readableBytesView))
                do { try peer.handshake() } catch let failure as TLSPeer.Failure {
                    try await outbound.write(ByteBuffer(bytes: peer.takeCiphertext()))
                    return failure.description
                }
                let more = peer.takeCiphertext()
                if !more.isEmpty { try await outbound.write(ByteBuffer(bytes: more)) }
            }
            return nil
        }
    }
}
