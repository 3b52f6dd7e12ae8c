internal import MockAPNsRules
internal import NIOConcurrencyHelpers

/// The TLS contexts of faults, each with a certificate that clients should reject.
///
/// Each is created when a fault first needs it, on that connection's event loop, and kept.
public final class FaultyTLS: Sendable {
    /// The defect of a certificate.
    public enum Certificate: CaseIterable, Sendable {
        /// The certificate has expired.
        case expired
        /// The certificate is for another host.
        case wrongHost
    }

    private let make: @Sendable (Certificate) -> TLSContext?
    private let made = NIOLockedValueBox<[Certificate: TLSContext]>([:])

    /// Creates the contexts with `make`, which is called again after a failure.
    public init(making make: @escaping @Sendable (Certificate) -> TLSContext?) { self.make = make }

    /// Returns the context with this certificate; `nil` if it cannot be created.
    func context(showing certificate: Certificate) -> TLSContext? {
        made.withLockedValue { made in
            if let context = made[certificate] { return context }
            let context = make(certificate)
            made[certificate] = context
            return context
        }
    }
}

extension FaultAction.Handshake {
    /// The certificate to use instead of the server's own; `nil` for the server's own.
    var certificate: FaultyTLS.Certificate? {
        switch self {
        case .expiredCertificate: .expired
        case .wrongHost: .wrongHost
        case .refuse, .delay, .noApplicationProtocol, .alert: nil
        }
    }
}
