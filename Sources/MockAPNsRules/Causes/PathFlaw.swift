internal import MockAPNsFormats

/// Why the path is none of the service.
package enum PathFlaw: Equatable, Sendable {
    case empty
    /// The whole URL, instead of the part after the host.
    case wholeURL
    /// A channel ID in the path of a broadcast or of channels.
    case channelID(String)
    /// The words of a path that this server has, not as they are expected, such as `/3/devices/…`.
    case nearly
    /// A path with the number of another version than the service has.
    case version(String, Service)
    /// A right path with a slash after it.
    case trailingSlash
    /// The bundle identifier in the path is not one.
    case bundleID(String)
    /// A path of another service than the listener's only one.
    case onlyChannels
    case other
}

/// The paths of a service, and how they are recognized when they are misspelt.
struct PathShape: Sendable {
    let service: Service
    let version: String
    let expected: String
    /// The words that are only in its paths, also as they are written by mistake.
    let words: Set<String>
    /// The words that are in its paths and others.
    var others: Set<String> = []

    /// All services; the first that a path fits is meant.
    ///
    /// To add a word that is written by mistake, add it to its row.
    static let all = [
        PathShape(
            service: .broadcast, version: "4", expected: "/4/broadcasts/apps/<bundle id>",
            words: ["broadcast", "broadcasts"]),
        PathShape(
            service: .channels, version: "1",
            expected: "/1/apps/<bundle id>/channels or /1/apps/<bundle id>/all-channels",
            words: ["all-channels", "all_channels", "allchannels", "channel", "channels"], others: ["app", "apps"]),
        PathShape(
            service: .push, version: "3", expected: "/3/device/<device token>",
            words: ["device", "devices", "devicetoken", "devicetokens", "device-token", "device_token"]),
    ]

    /// The shape of a service's paths.
    static func of(_ service: Service) -> PathShape? { all.first { $0.service == service } }

    /// The shape that a path is meant to have; `nil` if it has no word of any.
    static func meant(by parts: [String]) -> PathShape? {
        let parts = parts.map { $0.lowercased() }
        return all.first { !$0.words.isDisjoint(with: parts) } ?? all.first { !$0.others.isDisjoint(with: parts) }
    }

    /// The bundle identifier of a path that is right otherwise.
    func bundleID(in parts: [String]) -> String? {
        switch service {
        case .push: nil
        case .broadcast: parts.count == 4 && parts[1...2] == ["broadcasts", "apps"] ? parts[3] : nil
        case .channels:
            parts.count == 4 && parts[1] == "apps" && ["channels", "all-channels"].contains(parts[3]) ? parts[2] : nil
        }
    }
}

extension PathFlaw {
    /// Examines the path of a request; an address that only manages channels judges every request as one of these.
    package init(_ path: String, of service: Service, judgedAs judging: Service) {
        let parts = path.split(separator: "/").map(String.init)
        let version = parts.first.flatMap { UInt($0) == nil ? nil : $0 }
        let meant = PathShape.meant(by: parts)
        if path.isEmpty {
            self = .empty
        } else if path.lowercased().hasPrefix("http") {
            self = .wholeURL
        } else if let id = Self.channelID(in: path) {
            self = .channelID(id)
        } else if judging != service {
            self = .onlyChannels
        } else if let meant, let version, version != meant.version {
            self = .version(version, meant.service)
        } else if let meant, path.hasSuffix("/"), meant.service.bundleID(inPath: Self.withoutSlash(path)) != nil {
            self = .trailingSlash
        } else if let id = meant?.bundleID(in: parts), path.hasPrefix("/"), !path.contains("//"), !path.hasSuffix("/") {
            self = .bundleID(id)
        } else {
            self = meant == nil ? .other : .nearly
        }
    }

    /// What is expected in place of a path, by the words in it; `nil` if it has none.
    package static func expected(inPlaceOf path: String) -> String? {
        PathShape.meant(by: path.split(separator: "/").map(String.init))?.expected
    }

    private static func withoutSlash(_ path: String) -> String { String(path.reversed().drop { $0 == "/" }.reversed()) }

    /// The channel ID at the end of a path; an ID may contain slashes.
    private static func channelID(in path: String) -> String? {
        let text = PercentEncoding.decode(path) ?? path
        return text.indices.lazy.filter { text[$0] == "/" }.map { String(text[text.index(after: $0)...]) }.first {
            ChannelID($0) != nil
        }
    }
}
