/// The two services Apple runs side by side; a device token belongs to one of them.
public enum Environment: UInt8, CaseIterable, Sendable {
    /// `api.sandbox.push.apple.com`: apps run from Xcode.
    case sandbox
    /// `api.push.apple.com`: TestFlight and the App Store.
    case production

    /// The word used in options, answers of the API and documents.
    public var name: String {
        switch self {
        case .sandbox: "sandbox"
        case .production: "production"
        }
    }

    /// Finds the environment of this name.
    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
