internal import MockAPNs

/// What is told to whoever waits for the server: one line, and the same facts as JSON.
struct ReadyNotice {
    let apnsURLs: [String]
    let apiURL: String
    /// The file that clients have to trust; `nil` only for a `--tls-cert` without a known authority.
    let authorityPath: String?
    let processID: Int32
    let developmentKey: (keyID: String, teamID: String, path: String)?

    /// The line on standard output; what stands before the first `=` never changes.
    var line: String {
        "mock-apns ready apns=\(apnsURLs.joined(separator: ",")) api=\(apiURL) ca=\(authorityPath ?? "-")"
            + " pid=\(processID) version=\(Version.text)"
    }

    /// The contents of the ready file.
    var json: String {
        let urls = apnsURLs.map(Self.quoted).joined(separator: ",")
        var members = [
            "\"apns\":[\(urls)]", "\"api\":\(Self.quoted(apiURL))",
            "\"ca\":\(authorityPath.map(Self.quoted) ?? "null")", "\"pid\":\(processID)",
            "\"version\":\(Self.quoted(Version.text))",
        ]
        if let key = developmentKey {
            members.append(
                "\"developmentKey\":{\"keyId\":\(Self.quoted(key.keyID)),\"teamId\":\(Self.quoted(key.teamID)),"
                    + "\"path\":\(Self.quoted(key.path))}"
            )
        }
        return "{\(members.joined(separator: ","))}\n"
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..."\u{1f}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
