internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats

/// The options that select pushes, in every command about pushes.
struct PushFilters: ParsableArguments {
    @Option(
        "search", "A search, as 'type:alert is:rejected'; repeatable, and one of them must match.",
        discussion: """
            As in 'type:alert (status:4xx OR is:stored) NOT device:alice'. The search syntax is in docs/api.md.
            """, name: .shortAndLong) var query: [String] = []

    @Option("topic", "Only pushes with this topic; repeatable.") var topic: [String] = []

    @Option("token", "Only pushes to this device token; repeatable.") var token: [String] = []

    @Option("device", "Only pushes to the apps of this device; repeatable.") var device: [DeviceArgument] = []

    @Option("type", "Only pushes of this type, such as alert; repeatable.", name: .pushType) var pushType: [String] = []

    @Option("seq", "Only pushes after this number.") var after: UInt64?

    private var lists: [(name: String, values: [String])] {
        [("q", query), ("topic", topic), ("token", token), ("device", device.map(\.reference)), ("pushType", pushType)]
    }

    var areEmpty: Bool { lists.allSatisfy(\.values.isEmpty) && after == nil }

    var parameters: [(name: String, value: String?)] {
        lists.flatMap { name, values in values.map { (name, $0) } } + [("after", after.map(String.init))]
    }

    /// The same as the matcher of a verification, which takes one of each; `nil` where it cannot express it.
    var matcher: JSONValue? {
        guard lists.allSatisfy({ $0.values.count <= 1 }) else { return nil }
        var (token, label) = (token.first, String?.none)
        if let device = device.first {
            switch device.kind {
            case .label: label = String(device.reference.dropFirst())
            case .token where token == nil: token = device.reference
            case .token, .id: return nil
            }
        }
        return .members([
            "q": query.first, "topic": topic.first, "token": token, "pushType": pushType.first, "device": label,
        ])
    }
}

/// A push on the command line: `psh_…`, its number, its apns-id, or `latest`.
struct PushArgument: ExpressibleByArgument, Equatable {
    static let help: ArgumentHelp = "The push: psh_..., its number, its apns-id, or latest."

    let reference: String

    init?(argument text: String) {
        guard !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            reference = "seq:\(text)"
        } else if text.utf8.count == 36, text.split(separator: "-").count == 5 {
            reference = "apns:\(text)"
        } else {
            reference = text.hasPrefix("#") ? "seq:\(text.dropFirst())" : text
        }
    }

    var path: [String] { ["pushes", reference] }

    /// The push's id, for paths where the API takes no `latest`.
    func id(_ api: APIOptions) async throws -> String {
        guard reference == "latest" else { return reference }
        return try await api.client().ask(APIRequest("GET", path)).decoded(as: PushShape.self) { $0.id }
    }
}
