internal import MockAPNsRules
internal import NIOCore

/// Where a connection stands; each state carries what is valid in it.
///
/// ```
/// late ─► beginning ─► open ─► ending ─► closed        (each may also be closed at once)
/// ```
enum ConnectionState {
    /// A fault lets the connection begin later.
    case late(Late)
    /// There is no session yet: the TLS handshake is under way, since this time.
    case beginning(since: NIODeadline)
    case open(Open)
    /// Input is discarded.
    case ending(Ending)
    case closed
}

extension ConnectionState {
    final class Late {
        /// What has arrived: reading is off, but the system delivers input when the client closes.
        var input: ByteBuffer
        var timer: Scheduled<Void>?

        init(input: ByteBuffer) { self.input = input }
    }

    final class Open {
        let session: any ConnectionSession
        /// Whether the client has closed its side with TLS or TCP.
        var isInputOver = false
        /// The number of reads whose answers wait for what they acknowledge to be safe.
        var holds = 0
        /// The input that waits for the gate; `nil` if none does.
        var waitingInput: WaitingInput?
        /// The timer for the next delayed action of a fault.
        var wake: (at: NIODeadline, task: Scheduled<Void>)?

        init(_ session: any ConnectionSession) { self.session = session }

        /// Whether nothing is read until something else has happened.
        var isWaiting: Bool { holds > 0 || waitingInput != nil }
    }

    /// Input that waits for the gate: it is decrypted, and its session gets it when the gate lets it in.
    struct WaitingInput {
        var bytes = ByteBuffer()
        /// Why the client's side is over, if it is.
        var end: CloseReason?
    }

    final class Ending {
        let reason: CloseReason
        /// How a fault breaks the connection; then TLS sends no close_notify.
        let breakage: FaultAction.Break?
        /// Ends when all output is sent; from then on only the client's close is missing.
        var session: (any ConnectionSession)?
        /// Since when it has been waiting: for its output to be sent or, without a session, for the client to close.
        var since: NIODeadline
        /// The bytes received and discarded since then.
        var discarded = 0

        init(
            _ open: Open, because reason: CloseReason, brokenBy breakage: FaultAction.Break? = nil, at now: NIODeadline
        ) {
            (session, self.reason, self.breakage, since) = (open.session, reason, breakage, now)
            open.wake?.task.cancel()
        }

        /// Whether the connection stays open until the client closes it.
        var isLasting: Bool { breakage == .stall || breakage == .blackhole }

        /// Whether this takes longer than allowed.
        func isOverdue(at now: NIODeadline, _ options: TransportOptions) -> Bool {
            let timeout = session == nil ? options.lingerTimeout : options.stallTimeout
            return !isLasting && now - since >= timeout
        }
    }
}
