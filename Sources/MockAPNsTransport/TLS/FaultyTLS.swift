public import MockAPNsRules
internal import NIOConcurrencyHelpers

/// The TLS contexts of faults, each with a certificate that clients should reject.
///
/// Each is created when a fault first needs it, on that connection's event loop, and kept.
public final class FaultyTLS: Sendable {
    private let make: @Sendable (FaultAction.Handshake) -> TLSContext?
    private let made = NIOLockedValueBox<[FaultAction.Handshake: TLSContext]>([:])

    /// Creates the contexts with `make`, which is called again after a failure.
    ///
    /// It is called for the faults `expiredCertificate` and `wrongHost`.
    public init(making make: @escaping @Sendable (FaultAction.Handshake) -> TLSContext?) { self.make = make }

    /// Returns the context with the certificate of this fault; `nil` if it cannot be created.
    func context(for fault: FaultAction.Handshake) -> TLSContext? {
        made.withLockedValue { made in
            if let context = made[fault] { return context }
            made[fault] = make(fault)
            return made[fault]
        }
    }
}
