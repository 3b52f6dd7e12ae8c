@testable import MockAPNs
@testable import MockAPNsFormats
@testable import MockAPNsRules

/// Requests to manage channels: a line with the channel's ID, and the body that creates a channel.
enum ChannelFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        try checkID(Array(bytes[..<end]))
        try checkBody(Array(bytes[end...].dropFirst()))
    }

    /// What is read as an ID is written the same, and is always well-formed.
    private static func checkID(_ bytes: [UInt8]) throws {
        try bytes.withSpan { text in
            guard let id = ChannelID(text) else { return }
            try require(text.equals(id.text), "\(id.text) is not what was read")
            try require(ChannelID.isWellFormed(text), "\(id.text) is not well-formed")
        }
    }

    /// The rules agree with a plain reading of the body.
    private static func checkBody(_ body: [UInt8]) throws {
        let worker = FuzzWorld.worker(of: world)
        var situation = Situation(environment: .sandbox, authority: worker, devices: worker, channels: worker)
        situation.begin(at: FuzzWorld.now, options: options)
        let verdict = RequestView.withRequest(
            headers: [(":method", "POST"), (":path", "/1/apps/com.example.app/channels")], body: body
        ) { Pipeline.standard.verdict(on: $0, in: &situation) }
        try require(verdict.reason == expected(body), "\(verdict), expected \(expected(body)?.name ?? "none")")
    }

    private static func expected(_ body: [UInt8]) -> Reason? {
        if body.count > PushType.largestPayload { return .payloadTooLarge }
        guard let value = JSONParser.value(of: body, maximumDepth: 8), case .object(let members) = value else {
            return .badRequestPayload
        }
        let known = ["message-storage-policy", "push-type"]
        let storage = members[known[0]]
        guard Set(members.keys).isSubset(of: known), storage == .integer(0) || storage == .integer(1) else {
            return .badRequestParams
        }
        guard let type = members[known[1]] else { return .missingPushType }
        guard case .string(let text) = type, text.lowercased() == "liveactivity" else { return .invalidPushType }
        return nil
    }

    private static let options = {
        var options = RuleOptions()
        options.authentication = .any
        return options
    }()

    /// Never changed: requests are judged here and not carried out.
    private static let world = FuzzWorld.make()
}

extension ByteSpan {
    /// Whether the bytes are those of a text.
    fileprivate func equals(_ text: String) -> Bool { bytes.elementsEqual(text.utf8) }
}
