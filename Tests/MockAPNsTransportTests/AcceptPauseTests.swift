import NIOCore
import NIOEmbedded
import NIOPosix
import Synchronization
import Testing

@testable import MockAPNsTransport

#if canImport(Glibc)
import Glibc
#endif

/// A listener without file descriptors, and the largest number of connections.
@Suite struct AcceptPauseTests {
    /// Stands where the listening socket would.
    private final class Listener: ChannelDuplexHandler {
        typealias InboundIn = any Channel
        typealias OutboundIn = any Channel
        private(set) var reads = 0

        func read(context: ChannelHandlerContext) { reads += 1 }
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func note(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private static func withChannel(_ lines: Lines, _ use: (EmbeddedChannel, Listener) throws -> Void) throws {
        let listener = Listener()
        let admission = ConnectionAdmission(onShortage: { lines.note($0) })
        let pause = admission.makePause(for: "the listener")
        let channel = EmbeddedChannel(handlers: [listener, pause])
        try use(channel, listener)
        // One that is not closed is never freed.
        _ = try channel.finish()
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `pauses accepting when the system has no more files or memory`(code: CInt) throws {
        let lines = Lines()
        try Self.withChannel(lines) { channel, listener in
            let before = listener.reads
            channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
            channel.pipeline.read()
            #expect(listener.reads == before)
            // The error ends here: behind it, a sequence of connections would end with it.
            try channel.throwIfErrorCaught()
            channel.embeddedEventLoop.advanceTime(by: AcceptPause.duration)
            channel.pipeline.read()
            #expect(listener.reads == before + 1)
            #expect(lines.all.count == 1)
            #expect(lines.all.first?.hasPrefix("the listener cannot accept connections: ") == true)
        }
    }

    @Test func `reports a shortage once, not for each connection`() throws {
        let lines = Lines()
        try Self.withChannel(lines) { channel, _ in
            for _ in 0..<100 {
                channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
                channel.embeddedEventLoop.advanceTime(by: AcceptPause.duration)
            }
            #expect(lines.all.count == 1)
        }
    }

    @Test func `ignores aborted connections and passes other errors on`() throws {
        let lines = Lines()
        try Self.withChannel(lines) { channel, listener in
            channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
            try channel.throwIfErrorCaught()
            channel.pipeline.fireErrorCaught(IOError(errnoCode: EBADF, reason: "accept"))
            #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
            let before = listener.reads
            channel.pipeline.read()
            #expect(listener.reads == before + 1)
            #expect(lines.all.isEmpty)
        }
    }

    @Test func `accepts connections up to the limit, and reports the limit once`() throws {
        let lines = Lines()
        let admission = ConnectionAdmission(most: 2, onShortage: { lines.note($0) })
        #expect(admission.takePlace() == nil)
        #expect(admission.takePlace() == nil)
        for _ in 0..<50 { #expect(admission.takePlace()?.code == .tooManyConnections) }
        admission.givePlaceBack()
        #expect(admission.takePlace() == nil)
        #expect(admission.takePlace()?.detail == "the limit of 2 connections is reached")
        #expect(lines.all == ["the limit of 2 connections is reached: more are closed until others end"])
    }
}
