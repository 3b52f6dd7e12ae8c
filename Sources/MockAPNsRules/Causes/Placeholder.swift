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

    package static func isOne(_ text: String) -> Bool {
        guard (1...200).contains(text.utf8.count) else { return false }
        let lower = text.lowercased()
        let parts = lower.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.map(String.init)
        let letters = parts.joined()
        if words.contains(letters) || letters.count > 2 && letters.allSatisfy({ $0 == "x" }) { return true }
        if lower.hasPrefix("$") || marks.contains(where: lower.contains) { return true }
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
}
