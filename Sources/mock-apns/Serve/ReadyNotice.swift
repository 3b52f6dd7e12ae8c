internal import MockAPNsAPI
internal import MockAPNsFormats

/// The facts about a server that is ready, as one line and as JSON.
struct ReadyNotice {
    let apnsURLs: [String]
    let apiURL: String
    /// The file with the certificate that clients have to trust; `nil` for a `--tls-cert` without a known authority.
    let authorityPath: String?
    let processID: Int32
    let developmentKey: (keyID: String, teamID: String, path: String)?

    /// The line on standard output; the text before the first `=` never changes.
    var line: String {
        "mock-apns ready apns=\(apnsURLs.joined(separator: ",")) api=\(apiURL) ca=\(authorityPath ?? "-")"
            + " pid=\(processID) version=\(Version.text)"
    }

    var json: [UInt8] {
        let key: JSONValue? = developmentKey.map {
            ["keyId": .string($0.keyID), "teamId": .string($0.teamID), "path": .string($0.path)]
        }
        let members: [String: (any ShapeValue)?] = [
            "apns": apnsURLs, "api": apiURL, "ca": JSONValue(authorityPath), "pid": Int(processID),
            "version": Version.text, "developmentKey": key,
        ]
        return JSONValue.members(members).text + [0x0a]
    }
}
