/// The two independent services of Apple; a device token belongs to one of them.
public enum Environment: UInt8, CaseIterable, Sendable {
    /// `api.sandbox.push.apple.com`, for apps run from Xcode.
    case sandbox
    /// `api.push.apple.com`, for TestFlight and the App Store.
    case production

    /// The name in options, API responses and documents.
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
