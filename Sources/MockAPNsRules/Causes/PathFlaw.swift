internal import MockAPNsFormats

/// Why the path is none of the service.
package enum PathFlaw: Equatable, Sendable {
    case empty
    /// The whole URL, instead of the part after the host.
    case wholeURL
    /// A channel ID in the path of a broadcast or of channels.
    case channelID(String)
    /// Close to the expected path, such as `/3/devices/…`.
    case nearly
    /// A path of the HTTP API before version 3.
    case version(String)
    /// The bundle identifier in the path is not one.
    case bundleID(String)
    /// A path of another service than the listener's only one.
    case onlyChannels
    case other
}

extension PathFlaw {
    /// The paths that requests begin with.
    private static let prefixes = ["/3/device/", "/4/broadcasts/apps/", "/1/apps/"]
    /// What is written by mistake for parts of them.
    private static let slips = [
        "device": ["devices", "devicetoken", "devicetokens"], "broadcasts": ["broadcast"], "apps": ["app"],
    ]

    /// Examines the path of a request; an address that only manages channels judges every request as one of these.
    package init(_ path: String, of service: Service, judgedAs judging: Service) {
        let parts = path.split(separator: "/").map(String.init)
        if path.isEmpty {
            self = .empty
        } else if path.lowercased().hasPrefix("http") {
            self = .wholeURL
        } else if let id = Self.channelID(in: path) {
            self = .channelID(id)
        } else if judging != service {
            self = .onlyChannels
        } else if parts.count >= 2, parts[1] == "device", parts[0] != "3", UInt(parts[0]) != nil {
            self = .version(parts[0])
        } else if !Self.prefixes.contains(where: path.hasPrefix), Self.isNearly(parts) {
            self = .nearly
        } else if let id = Self.bundleID(parts, of: service) {
            self = .bundleID(id)
        } else {
            self = .other
        }
    }

    /// Whether the parts are those of a prefix with a slip, such as another letter case, or a slash too much or too few.
    private static func isNearly(_ parts: [String]) -> Bool {
        let corrected = parts.map { part in
            let name = part.lowercased()
            return slips.first { $0.value.contains(name) }?.key ?? name
        }
        let path = "/" + corrected.joined(separator: "/") + "/"
        return prefixes.contains { path.hasPrefix($0) }
            // Without the number of the version.
            || prefixes.contains { path.hasPrefix($0.dropFirst(2)) }
    }

    /// The channel ID at the end of a path; an ID may contain slashes.
    private static func channelID(in path: String) -> String? {
        let text = PercentEncoding.decode(path) ?? path
        return text.indices.lazy.filter { text[$0] == "/" }.map { String(text[text.index(after: $0)...]) }
            .first { ChannelID($0) != nil }
    }

    /// The bundle identifier of a path that is right otherwise.
    private static func bundleID(_ parts: [String], of service: Service) -> String? {
        switch service {
        case .push: nil
        case .broadcast: parts.count == 4 ? parts[3] : nil
        case .channels: parts.count == 4 && ["channels", "all-channels"].contains(parts[3]) ? parts[2] : nil
        }
    }
}
