/// A topic as a person would read it: what is odd about it, and which one was probably meant.
///
/// APNs knows which topics a team has, and rejects all others. This server does not, so it accepts a misspelt topic; a
/// warning says so.
package struct TopicSpelling: Equatable, Sendable {
    /// An ending of topics, in lower case, and the push type of those who write it.
    struct Ending: Sendable {
        let text: String
        let type: PushType
        /// Whether the bundle identifier of an app may well end like this, so that it is odd only beside that push type.
        let isPlausible: Bool

        init(_ text: String, _ type: PushType, isPlausible: Bool = false) {
            (self.text, self.type, self.isPlausible) = (text, type, isPlausible)
        }
    }

    /// The endings that are written in place of a push type's suffix.
    ///
    /// To add one, add a row.
    private static let misspelt = [
        Ending(".pushkit", .voip),
        Ending(".pushkit.voip", .voip),
        Ending(".push-type.voip", .voip),
        Ending(".voip-push", .voip),
        Ending(".ptt", .pushtotalk, isPlausible: true),
        Ending(".pushtotalk", .pushtotalk, isPlausible: true),
        Ending(".push-type.pushtotalk", .pushtotalk),
        Ending(".voip.ptt", .pushtotalk),
        Ending(".liveactivity", .liveactivity, isPlausible: true),
        Ending(".live-activity", .liveactivity, isPlausible: true),
        Ending(".liveactivities", .liveactivity, isPlausible: true),
        Ending(".push-type.live-activity", .liveactivity),
        Ending(".pushtype.liveactivity", .liveactivity),
        Ending(".push_type.liveactivity", .liveactivity),
        Ending(".widget", .widgets, isPlausible: true),
        Ending(".widgets", .widgets, isPlausible: true),
        Ending(".push-type.widget", .widgets),
        Ending(".control", .controls, isPlausible: true),
        Ending(".controls", .controls, isPlausible: true),
        Ending(".push-type.control", .controls),
        Ending(".accessory", .accessory, isPlausible: true),
        Ending(".location", .location, isPlausible: true),
        Ending(".push-type.location", .location),
        Ending(".push-type.location-query", .location),
        Ending(".fileprovider", .fileprovider, isPlausible: true),
        Ending(".push-type.fileprovider", .fileprovider),
        Ending(".push-type.complication", .complication),
        Ending(".push-type.alert", .alert),
        Ending(".push-type.background", .background),
        Ending(".push-type.mdm", .mdm),
        Ending(".push-type", .alert),
    ]

    /// All endings, the longest first, so that a part of one is not found in its place.
    private static let endings =
        (misspelt
        + PushType.allCases.filter { $0.row.topicSuffix.utf8CodeUnitCount > 0 }.map {
            Ending($0.row.topicSuffix.description, $0)
        }).sorted { $0.text.utf8.count > $1.text.utf8.count }

    /// What programs write for a value that they do not have.
    private static let placeholders = [
        "undefined", "null", "(null)", "nil", "none", "nan", "your.bundle.id", "bundle_id", "apns-topic",
    ]

    /// What is odd about the topic, after "the topic '…' "; `nil` if nothing is.
    package let oddity: String?
    /// The bundle identifier that was probably meant; `nil` if nothing of it is left.
    package let bundleID: String?

    /// Reads the topic of a push of this type.
    package init(_ topic: String, for type: PushType?) {
        var oddities: [String] = []
        var rest = topic.filter { $0.utf8.allSatisfy(Topic.isOfBundleID) }
        if rest != topic { oddities.append("has characters that no bundle identifier has") }
        guard !Self.placeholders.contains(topic.lowercased()), !rest.isEmpty else {
            (oddity, bundleID) = ("is no bundle identifier", nil)
            return
        }
        var isFirst = true
        while let ending = Self.ending(of: rest), ending.text.utf8.count < rest.utf8.count {
            let seen = String(rest.suffix(ending.text.count))
            let suffix = ending.type.row.topicSuffix.description
            if ending.isPlausible {
                guard isFirst, ending.type == type else { break }
            } else if seen != suffix {
                oddities.append("has '\(seen)'" + (suffix.isEmpty ? "" : " in place of \(suffix)"))
            } else if !isFirst {
                oddities.append("has '\(seen)' before another suffix")
            }
            rest.removeLast(ending.text.count)
            isFirst = false
        }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, ProviderKey.isIdentifier(String(parts[0])), parts[0].contains(where: \.isNumber)
        {
            oddities.append("begins with a team ID")
            rest = String(parts[1])
        }
        if !rest.contains("."), rest.contains("_") {
            oddities.append("has underscores in place of dots")
            rest = String(rest.map { $0 == "_" ? "." : $0 })
        }
        oddity = oddities.isEmpty ? nil : oddities.joined(separator: ", and ")
        bundleID = rest.contains { $0 != "." && $0 != "-" && $0 != "_" } ? rest : nil
    }

    /// The topic for a push type that was probably meant.
    package func topic(for type: PushType) -> String? {
        bundleID.map { $0 + type.row.topicSuffix.description }
    }

    private static func ending(of topic: String) -> Ending? {
        let topic = topic.lowercased()
        return endings.first { topic.hasSuffix($0.text) }
    }
}
