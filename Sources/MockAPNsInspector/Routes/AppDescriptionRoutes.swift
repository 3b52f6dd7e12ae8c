internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The names and icons of apps.
enum AppDescriptionRoutes {
    static let routes: [Route] = [
        .get("/api/v1/apps", "List apps") { apps.list($0, in: \AppListShape.apps) }.gives(
            .list(AppListShape.self, "The described apps.")),
        .get("/api/v1/apps/{topic}", "Get an app", apps.one).gives(.json(AppShape.self, "The name and the icon."))
            .fails(.unknownApp),
        .put("/api/v1/apps/{topic}", "Describe an app", apps.put).detail(
            "Previews show the name and the icon. The body replaces the whole description."
        ).reads(draft).gives(
            .json(AppShape.self, "The description was replaced."),
            .json(AppShape.self, "The description is new.", status: 201),
        ).fails(.tooManyApps),
        .delete("/api/v1/apps/{topic}", "Delete the description of an app", apps.remove).gives(.nothing("Deleted."))
            .fails(.unknownApp),
    ]

    private static let apps = NamedRoutes<String, AppDescription, AppShape, AppShape>(
        path: "/api/v1/apps",
        absence: (.unknownApp, "There is no description of the app", "is not an app with a description"),
        refusals: (.tooManyApps, .badBody), table: \.apps, name: AppPath.bundleID, text: { $0 },
        value: { call throws(Problem) in try draft.read(call) }, whole: shown, summary: shown)

    private static func shown(_ app: String, _ description: AppDescription) -> AppShape.Source { (description, app) }

    private static let name = Form<String>(
        ofText: "a text of 1 to \(AppDescription.longestName) characters, not only white space",
        schema: .text(1...AppDescription.longestName)
    ) { AppDescription.allows(name: $0) ? $0 : nil }

    private static let iconText =
        "\(AppShape.iconPrefix) and a PNG file of up to \(AppIcon.bytes >> 10) KiB and \(AppIcon.side) pixels in each"
        + " direction"

    private static let icon = Form<[UInt8]>(expected: iconText, schema: { _ in .text(atLeast: 1) }) { given, reader in
        guard case .string(let text) = given, text.hasPrefix(AppShape.iconPrefix),
            let file = decoded(text.dropFirst(AppShape.iconPrefix.count))
        else {
            reader.refuse(given, expected: iconText)
            return nil
        }
        if let flaw = AppIcon.flaw(in: file) {
            reader.complain("is \(flaw); expected \(iconText)")
            return nil
        }
        return file
    }

    private static func decoded(_ digits: Substring) -> [UInt8]? {
        var digits = digits
        return digits.withUTF8 { Base64.decode($0) }
    }

    private static let draft = RequestBody<AppDescription>(
        .object(
            AppDescription(), .optional("name", name, "Name below the icon.") { $0.name = $1 },
            .optional("icon", icon, "Icon, as a data URL of a PNG file.") { $0.icon = $1 }), use: .draft,
        example: ["name": "Example"])
}

enum AppPath {
    /// The app that a path names by its topic.
    ///
    /// Documented: a bundle identifier has letters, digits, hyphens and periods
    /// (https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleidentifier);
    /// some have an underscore.
    static func bundleID(_ call: Route.Call) throws(Problem) -> String {
        var topic = call.pathParts["topic"] ?? ""
        let bundleID = topic.withUTF8 { bytes in
            let isWellFormed = bytes.count <= 255 && bytes.allSatisfy(isOfIdentifier)
            return isWellFormed ? Topic(ByteSpan(bytes)).bundleID.text : ""
        }
        guard bundleID.isEmpty else { return bundleID }
        throw Problem(
            .badPath,
            "'\(topic)' is not the topic of an app; expected up to 255 letters, digits, '-', '_' and '.', as in"
                + " com.example.app.")
    }

    private static func isOfIdentifier(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "-_.".utf8.contains(byte)
    }
}
