/// A request, or a look at a connection, whose results are compared.
///
/// Without a device of the user, no request can reach a phone: the device token belongs to no device, so every one is
/// refused. Those to the device of the user are silent.
package struct DriftCase: Sendable {
    /// An option of `serve` that makes the mock answer like the service.
    package struct Choice: Sendable, Equatable {
        /// What is seen of a service that behaves like this.
        package enum Effect: Sendable, Equatable {
            /// The reason, or the error in place of a response.
            case reason(String)
            /// A header with its value.
            case header(String)
            /// How the connection ended.
            case connection(String)
        }

        /// The option with its value.
        package let option: String
        package let effect: Effect

        package init(_ option: String, _ reason: String) { self.init(option, .reason(reason)) }

        package init(_ option: String, _ effect: Effect) { (self.option, self.effect) = (option, effect) }

        /// Whether the option would explain why the service's answer is not the mock's.
        func explains(_ service: DriftAnswer, insteadOf mock: DriftAnswer) -> Bool {
            switch effect {
            case .reason(let reason): service.reason == reason && mock.reason != reason
            case .header(let header): service.headers.contains(header) && !mock.headers.contains(header)
            case .connection(let end): service.connection == end && mock.connection != end
            }
        }
    }

    /// The connection that a case is sent on; they are opened in this order, one after the other.
    package enum Place: Int, CaseIterable, Comparable, Sendable {
        /// The one of all cases with the shared provider token.
        case shared
        /// The one of provider tokens that are refused.
        case refused
        /// The one of provider tokens of 1970.
        case aged
        /// A new one for each case: the service may accept the token, and count it as an update of another.
        case own
        /// The one to the host that manages channels.
        case channels
        /// The one with the user's client certificate.
        case certificate
        /// A new one with a client certificate that nobody knows.
        case stranger
        /// A new one that offers HTTP/1.1 in place of HTTP/2 in the TLS handshake.
        case oldHTTP
        /// A new one for each case whose valid tokens change, which the service may punish: the last ones.
        case updates

        package static func < (one: Place, other: Place) -> Bool { one.rawValue < other.rawValue }

        /// Whether each case has a connection of its own.
        var isForOne: Bool {
            switch self {
            case .shared, .refused, .aged, .channels, .certificate: false
            case .own, .stranger, .oldHTTP, .updates: true
            }
        }
    }

    /// What a run must have for a case.
    package enum Need: Sendable {
        /// A device token of the user.
        case device
        /// A client certificate of the user.
        case certificate
        /// The consent to make a channel.
        case channels
        /// TLS.
        case encryption
        /// A provider key of the other environment.
        case otherEnvironment
    }

    /// What is compared in place of a response.
    package enum Probe: Sendable {
        /// The first SETTINGS.
        case settings
        /// All SETTINGS of the shared connection, at its end.
        case laterSettings
        /// The version of TLS.
        case encryption
        /// Whether a PING is answered.
        case ping
    }

    package typealias Change = @Sendable (inout DriftDraft, DriftProvider) -> Void

    /// The stable name, for reports.
    package let id: String
    /// What the case decides, for people.
    package let decides: String
    /// Where the expectation comes from.
    package let source: String
    /// What would explain another answer than the mock's.
    package internal(set) var choices: [Choice]
    package internal(set) var place = Place.shared
    package internal(set) var need: Need?
    package internal(set) var probe: Probe?
    /// The checks of `--check-order` that find a mistake in the request.
    package internal(set) var checks: [String] = []
    /// Requests that are sent before on the same connection, and are not compared.
    var prelude: [Change] = []
    /// Whether the mock's answer is an error with a body.
    var hasErrorBody = true
    let change: Change

    /// Returns the draft of the request.
    package func draft(_ provider: DriftProvider) -> DriftDraft { Self.draft(provider, change) }

    /// Returns the drafts of the requests that are sent before.
    func preludeDrafts(_ provider: DriftProvider) -> [DriftDraft] { prelude.map { Self.draft(provider, $0) } }

    private static func draft(_ provider: DriftProvider, _ change: Change) -> DriftDraft {
        var draft = DriftDraft(provider)
        change(&draft, provider)
        return draft
    }

    /// Whether 429 is among what the case decides, so that it does not stop the comparison.
    var expectsTooMany: Bool { choices.contains { $0.effect == .reason(Self.tooManyUpdates) } || place == .updates }

    static let tooManyUpdates = "TooManyProviderTokenUpdates"
}
