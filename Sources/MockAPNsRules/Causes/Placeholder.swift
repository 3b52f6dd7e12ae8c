/// Recognizes what a request has in place of a missing value: the text of a missing one, such as `null`, or a variable
/// that nothing has replaced.
///
/// The same for topics, device tokens, channel IDs and provider tokens.
package enum Placeholder {
    /// Placeholders without anything but their letters and digits, in lower case.
    ///
    /// To add one, add a row.
    static let words: Set<String> = [
        // What programs print for a missing value.
        "undefined", "null", "nil", "none", "nan", "true", "false", "0", "optional", "optionalnil",
        // The name of a value.
        "topic", "apnstopic", "bundleid", "bundleidentifier", "productbundleidentifier", "token", "devicetoken",
        "pushtoken", "deviceid", "channel", "channelid", "apnschannelid", "jwt", "providertoken", "authtoken",
        "authenticationtoken", "bearertoken", "accesstoken",
        // What people write to fill it in later.
        "todo", "tbd", "changeme", "replaceme", "placeholder",
    ]

    /// What examples have after `your`, as in `YOUR_BUNDLE_ID` and `com.yourcompany.yourapp`.
    static let owned: Set<String> = [
        "app", "appid", "appname", "apns", "bundle", "bundleid", "channel", "channelid", "company", "companyname",
        "device", "devicetoken", "domain", "id", "jwt", "key", "keyid", "name", "org", "organization", "project",
        "provider", "providertoken", "team", "teamid", "token", "topic",
    ]

    /// What begins a variable in a template, a shell or a source text.
    static let marks = ["${", "$(", "{{", "#{", "<%", "%(", "[object ", "process.env", "os.environ"]

    private static let markBytes = marks.map { Array($0.utf8) }

    package static func isOne(_ text: String) -> Bool {
        guard (1...200).contains(text.utf8.count) else { return false }
        let lower = text.lowercased()
        // Byte by byte: every push that is shown has values that are looked at.
        let bytes = Array(lower.utf8)
        let parts = bytes.split { !isLetterOrDigit($0) }.map { String(decoding: $0, as: UTF8.self) }
        let letters = parts.joined()
        if words.contains(letters) || letters.utf8.count > 2 && letters.utf8.allSatisfy({ $0 == UInt8(ascii: "x") }) {
            return true
        }
        if bytes.first == UInt8(ascii: "$") || hasMark(bytes) { return true }
        // A parameter of a route, as :token, or a format, as %s.
        let rest = lower.dropFirst()
        if lower.hasPrefix(":") { return rest.first?.isLetter == true && rest.allSatisfy { $0.isLetter || $0 == "_" } }
        if lower.hasPrefix("%"), rest.count == 1 { return true }
        return parts.indices.contains { at in
            let part = parts[at]
            guard part.hasPrefix("your") else { return false }
            let name = part == "your" && at + 1 < parts.count ? parts[at + 1] : String(part.dropFirst(4))
            return owned.contains(name)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func hasMark(_ text: [UInt8]) -> Bool {
        text.indices.contains { at in markBytes.contains { $0[0] == text[at] && text[at...].starts(with: $0) } }
    }
}
