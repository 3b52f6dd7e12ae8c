internal import MockAPNs

/// How the C library of this machine looks host names up, as far as it decides how Apple's hosts are shown to a command.
struct NameLookups {
    /// How a service can respond to a name that it does not know, in the words of nsswitch.conf.
    private enum Status: String {
        case notFound = "notfound"
        case unavailable = "unavail"
    }

    /// The possible responses of services besides `dns`, by the beginning of their name.
    ///
    /// A service that is not listed may respond in either way.
    private static let statuses: [(service: String, statuses: [Status])] = [
        // The command cannot open the service's socket.
        ("resolve", [.unavailable]),
        // nss-mdns leaves hosts outside of .local to others, also in the usual "mdns4_minimal [NOTFOUND=return] dns".
        ("mdns", [.unavailable]),
    ]

    /// The words in resolv.conf, and in RES_OPTIONS, for questions over TCP (the last two are Go's).
    private static let overTCP: Set<Substring> = ["use-vc", "usevc", "tcp"]

    /// The text of /etc/hosts; without it and the other files, name servers are asked.
    var hosts = ""
    /// The text of /etc/nsswitch.conf.
    var services = ""
    /// The text of /etc/resolv.conf.
    var servers = ""
    /// The value of RES_OPTIONS.
    var options = ""
    /// Whether systemd-resolved is older than 247, whose module asks it in a way that is not refused.
    var hasOldResolved = false

    /// Whether the C library asks name servers for Apple's hosts, in a way that can be answered.
    var asksNameServers: Bool { !namesAppleHost && !asksOverTCP && reachesNameServers }

    private var namesAppleHost: Bool {
        let names = Set(AppleHost.all.map(\.name))
        return Self.lines(of: hosts).contains { $0.dropFirst().contains { names.contains($0.lowercased()) } }
    }

    private var asksOverTCP: Bool {
        let words = Self.lines(of: servers).filter { $0.first == "options" }.joined()
        return !Self.overTCP.isDisjoint(with: Array(words) + options.split(separator: " "))
    }

    /// Whether no service before `dns` ends the search; unknown syntax counts as an end.
    private var reachesNameServers: Bool {
        let text = services.replacing("[", with: " [ ").replacing("]", with: " ] ")
        guard let line = Self.lines(of: text).first(where: { $0.first == "hosts:" }) else { return true }
        var said: [Status] = []
        var isAction = false
        for word in line.dropFirst() {
            switch word.lowercased() {
            case "[": isAction = true
            case "]": isAction = false
            case let action where isAction: if Self.ends(action, after: said) { return false }
            case "dns": return true
            case let service:
                if service == "resolve", hasOldResolved { return false }
                said = Self.statuses.first { service.hasPrefix($0.service) }?.statuses ?? [.notFound, .unavailable]
            }
        }
        return false
    }

    /// Whether an action such as `!unavail=return` ends the search after a service that says one of these.
    private static func ends(_ action: String, after said: [Status]) -> Bool {
        let parts = action.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return true }
        guard parts[1] != "continue" else { return false }
        let isNegated = parts[0].hasPrefix("!")
        let status = parts[0].drop { $0 == "!" }
        return said.contains { ($0.rawValue == status) != isNegated }
    }

    /// The words of each line, without comments.
    private static func lines(of text: String) -> [[Substring]] {
        text.split(whereSeparator: \.isNewline).map { line in
            line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
        }
    }
}

extension NameLookups {
    /// Reads the machine's files.
    init(environment: [String: String]) throws {
        hosts = try AtomicFile.text(at: "/etc/hosts") ?? ""
        services = try AtomicFile.text(at: "/etc/nsswitch.conf") ?? ""
        servers = try AtomicFile.text(at: "/etc/resolv.conf") ?? ""
        options = environment["RES_OPTIONS"] ?? ""
        let resolved = "/run/systemd/resolve"
        hasOldResolved = SystemFacts.exists(resolved) && !SystemFacts.exists("\(resolved)/io.systemd.Resolve")
    }
}
