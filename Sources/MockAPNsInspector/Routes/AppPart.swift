internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

/// The part of a path that says whose texts or categories are meant.
enum AppPart {
    /// The bundle identifier of the app: what is uploaded belongs to the app, so a topic stands for that.
    ///
    /// Documented: a bundle identifier has letters, digits, hyphens and periods
    /// (https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleidentifier);
    /// an underscore is seen in some.
    static func bundleID(_ call: Route.Call) throws(Problem) -> String {
        var topic = call.pathParts["topic"] ?? ""
        let bundleID = topic.withUTF8 { bytes in
            let isWellFormed = bytes.count <= 255 && bytes.allSatisfy(isOfIdentifier)
            return isWellFormed ? Topic(ByteSpan(bytes)).bundleID.text : ""
        }
        guard !bundleID.isEmpty else {
            throw Problem(
                kind: .badPath,
                detail:
                    "'\(topic)' is not the topic of an app; expected up to 255 letters, digits, '-', '_' and '.', as in"
                    + " com.example.app."
            )
        }
        return bundleID
    }

    /// What was uploaded stands in its place: 201 with its address where it is new.
    static func stored(
        _ summary: APIObject<some Shape>,
        isNew: Bool,
        _ call: Route.Call
    ) -> APIResponse {
        isNew ? .created(summary, at: call.request.path) : .json(summary)
    }

    private static func isOfIdentifier(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "-_.".utf8.contains(byte)
    }
}
