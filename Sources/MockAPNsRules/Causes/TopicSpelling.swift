/// A topic as a person would read it: what is odd about it, and which one was probably meant.
///
/// APNs knows which topics a team has, and rejects all others. This server does not, so it accepts a misspelt topic; a
/// warning says so.
package struct TopicSpelling: Equatable, Sendable {
    /// An ending of topics, and the push type of those who write it.
    private struct Ending {
        let type: PushType
        /// Whether the bundle identifier of an app may well end like this, so that it is odd only beside that push type.
        let isPlausible: Bool
    }

    /// What the suffix of a push type is called, without the joiners between its words.
    ///
    /// To add one, add a row. The first names may also end a bundle identifier, the others do not.
    static let names: [(type: PushType, plausible: [String], others: [String])] = [
        (.voip, ["voip", "pushkit"], ["voippush", "pushkitvoip"]), (.pushtotalk, ["ptt", "pushtotalk"], ["voipptt"]),
        (.liveactivity, ["liveactivity", "liveactivities", "activity", "activitykit"], []),
        (.widgets, ["widget", "widgets", "widgetkit"], []), (.controls, ["control", "controls"], []),
        (.accessory, ["accessory", "accessories"], []), (.location, ["location"], ["locationquery"]),
        (.fileprovider, ["fileprovider"], ["pushkitfileprovider"]),
        (.complication, ["complication", "complications"], []), (.alert, [], ["pushtype", "pushtypealert"]),
        (.background, [], ["pushtypebackground"]), (.mdm, [], ["pushtypemdm"]),
    ]
    /// What is written before such a name; after the last one it may still belong to a bundle identifier.
    static let openings = ["pushtype", "pushtypes", "pushkit", "push"]

    /// All endings by their letters.
    private static let endings: [String: Ending] = {
        var endings: [String: Ending] = [:]
        for row in names {
            for name in row.plausible {
                endings[name] = Ending(type: row.type, isPlausible: true)
                for opening in openings {
                    endings[opening + name] = Ending(type: row.type, isPlausible: opening == "push")
                }
            }
        }
        // Last, because two words of one name may be an opening and a name, too.
        for row in names { for name in row.others { endings[name] = Ending(type: row.type, isPlausible: false) } }
        return endings
    }()
    static let joiners: Set<Character> = [".", "-", "_", ":"]
    private static let longestEnding = 40

    /// What bundle identifiers begin with, the reverse of a domain.
    static let domains: Set<String> = [
        "ai", "app", "au", "biz", "br", "ca", "ch", "cn", "co", "com", "de", "dev", "edu", "es", "eu", "fr", "gov",
        "in", "info", "io", "it", "jp", "kr", "me", "net", "nl", "org", "pl", "ru", "se", "tv", "uk", "us",
    ]
    /// Names of the team ID before a bundle identifier, without anything but their letters.
    static let teamNames: Set<String> = [
        "appidentifierprefix", "appidprefix", "bundleseedid", "teamid", "teamidentifier",
    ]

    /// What is odd about the topic, after "the topic '…' "; `nil` if nothing is.
    package let oddity: String?
    /// The bundle identifier that was probably meant; `nil` if nothing of it is left, or for a topic of no app.
    package let bundleID: String?
    /// The push type of the topic's ending; `nil` if it has none.
    package let type: PushType?

    /// Reads the topic of a push of this type.
    package init(_ topic: String, for type: PushType?) {
        let (rest, endings, ending) = Self.withoutEndings(Wrapping.inside(topic), for: type)
        self.type = ending
        let inner = Wrapping.inside(rest)
        var oddities = endings
        if !topic.utf8.allSatisfy(Topic.isOfBundleID) {
            oddities.insert("has characters that no bundle identifier has", at: 0)
        }
        if Placeholder.isOne(topic) || inner != topic && Placeholder.isOne(inner) {
            (oddity, bundleID) = ("is a placeholder, not a bundle identifier", nil)
        } else if inner.isEmpty, ending != nil {
            (oddity, bundleID) = ("is only a suffix, without a bundle identifier", nil)
        } else if !inner.contains(where: { !Self.joiners.contains($0) }) {
            (oddity, bundleID) = ("is no bundle identifier", nil)
        } else {
            let isClean = inner.utf8.allSatisfy(Topic.isOfBundleID)
            bundleID = isClean ? Self.corrected(inner, &oddities) : nil
            oddity = oddities.isEmpty ? nil : oddities.joined(separator: ", and ")
        }
    }

    /// The topic for a push type that was probably meant.
    package func topic(for type: PushType) -> String? {
        let suffix = type.row.topicSuffix.description
        // The topics of no app have no suffix.
        guard let bundleID, suffix.isEmpty || SpecialTopic(topic: bundleID) == nil else { return nil }
        return bundleID + suffix
    }

    /// Removes what stands for suffixes of push types, and says what is odd about it.
    private static func withoutEndings(
        _ topic: String, for type: PushType?
    ) -> (rest: String, oddities: [String], type: PushType?) {
        var rest = topic
        var oddities: [String] = []
        var first: PushType?
        while let (ending, seen) = Self.ending(of: rest) {
            let suffix = ending.type.row.topicSuffix.description
            if seen != suffix {
                // In capitals, or after another suffix, nothing is plausible.
                let isPlausible = ending.isPlausible && seen.lowercased() != suffix
                guard !isPlausible || first == nil && ending.type == type else { break }
                oddities.append("has '\(seen)'" + (suffix.isEmpty ? "" : " in place of \(suffix)"))
            } else if first != nil {
                oddities.append("has '\(seen)' before another suffix")
            }
            first = first ?? ending.type
            rest.removeLast(seen.count)
        }
        return (rest, oddities, first)
    }

    /// The longest ending of a topic, as it is written.
    private static func ending(of topic: String) -> (ending: Ending, seen: String)? {
        for at in topic.indices where joiners.contains(topic[at]) {
            let seen = String(topic[at...])
            guard seen.utf8.count <= longestEnding,
                let ending = endings[seen.lowercased().filter { !joiners.contains($0) }]
            else { continue }
            // The bundle identifier com.example.push has a right suffix in com.example.push.voip.
            let suffix = ending.type.row.topicSuffix.description
            if !ending.isPlausible || seen == suffix || !seen.hasSuffix(suffix) { return (ending, seen) }
        }
        return nil
    }

    /// Corrects the bundle identifier, and adds what is odd about it.
    private static func corrected(_ text: String, _ oddities: inout [String]) -> String? {
        var rest = text
        if rest.hasPrefix(".") { oddities.append("begins with a dot") }
        if rest.hasSuffix(".") { oddities.append("ends with a dot") }
        if rest.contains("..") { oddities.append("has two dots in a row") }
        rest = rest.split(separator: ".").joined(separator: ".")
        let parts = rest.split(separator: ".", maxSplits: 1).map(String.init)
        if parts.count == 2, isTeam(parts[0], before: parts[1]) {
            oddities.append("begins with a team ID")
            rest = parts[1]
        }
        guard !rest.contains(".") else { return rest }
        let start = rest.prefix { $0 != "_" && $0 != "-" }.lowercased()
        let isReverseDomain = start.count < rest.count && domains.contains(start)
        if rest.contains("_") {
            oddities.append("has underscores in place of dots")
            guard isReverseDomain else { return nil }
        } else if isReverseDomain {
            oddities.append("has hyphens in place of dots")
        } else {
            return rest
        }
        return String(rest.map { $0 == "_" || $0 == "-" ? "." : $0 })
    }

    private static func isTeam(_ part: String, before rest: String) -> Bool {
        let isBeforeDomain = rest.split(separator: ".").first.map { domains.contains($0.lowercased()) } ?? false
        if ProviderKey.isIdentifier(part) { return isBeforeDomain || part.contains(where: \.isNumber) }
        return isBeforeDomain && teamNames.contains(part.lowercased().filter(\.isLetter))
    }
}
