internal import MockAPNsRules
internal import NIOConcurrencyHelpers

/// The TLS contexts of faults: each shows a certificate that no client should take.
///
/// Each is made when a fault first wants it, on the event loop of that connection, and kept.
public final class FaultyTLS: Sendable {
    /// What is wrong with a certificate.
    public enum Certificate: CaseIterable, Sendable {
        /// It is no longer valid.
        case expired
        /// It is for another host.
        case wrongHost
    }

    private let make: @Sendable (Certificate) -> TLSContext?
    private let made = NIOLockedValueBox<[Certificate: TLSContext]>([:])

    /// Contexts made by `make`, which is asked again where it could not make one.
    public init(making make: @escaping @Sendable (Certificate) -> TLSContext?) { self.make = make }

    /// The context that shows this certificate; `nil` where it cannot be made.
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
    /// The certificate that the fault shows instead of the server's own; `nil` for that.
    var certificate: FaultyTLS.Certificate? {
        switch self {
        case .expiredCertificate: .expired
        case .wrongHost: .wrongHost
        case .refuse, .delay, .noApplicationProtocol, .alert: nil
        }
    }
}
