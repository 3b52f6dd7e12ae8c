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

    /// The contents of the ready file.
    var json: [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(to: &text) { writer in
            writer.object { writer in
                writer.array("apns", apnsURLs) { $0.value($1) }
                writer.member("api", apiURL)
                writer.member("ca", authorityPath)
                writer.member("pid", processID)
                writer.member("version", Version.text)
                guard let key = developmentKey else { return }
                writer.object("developmentKey") { writer in
                    writer.member("keyId", key.keyID)
                    writer.member("teamId", key.teamID)
                    writer.member("path", key.path)
                }
            }
        }
        return text + [0x0a]
    }
}
