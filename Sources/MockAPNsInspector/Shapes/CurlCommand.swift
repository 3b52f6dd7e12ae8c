internal import MockAPNs
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A push as a command that sends it again.
///
/// The signature of its provider token is not kept, so the command asks for another token.
struct CurlCommand {
    let facts: PushFacts
    let subject: InspectedServer

    var text: String {
        let url = subject.pushURL(of: facts)
        let authority = subject.certificateAuthority?.file.map(Self.quoted) ?? "ca.pem"
        let certificate =
            url.hasPrefix("https") ? "--http2 --cacert \(authority)" : "--http2-prior-knowledge"
        var words = ["curl \(certificate) \(Self.quoted(url))"]
        if facts.method != "POST" { words.append("-X \(Self.quoted(facts.method))") }
        for (name, value) in facts.repeatableHeaders where name != "content-length" {
            let isToken =
                name == HeaderName.authorization.text.description && (facts.hasToken || facts.record.isBinary)
            words.append(
                isToken
                    ? #"-H "authorization: bearer $(mock-apns token\#(signer))""#
                    : "-H \(Self.quoted("\(name): \(value)"))"
            )
        }
        let body = facts.record.request.body
        guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else {
            // A shell's words cannot have these bytes, so printf writes them.
            let bytes = body.map { "\\" + String(UInt32($0) + 0o1000, radix: 8).dropFirst() }.joined()
            return "printf '\(bytes)' | " + (words + ["--data-binary @-"]).joined(separator: Self.nextLine)
                + "\n"
        }
        words.append("--data-binary \(Self.quoted(text))")
        return words.joined(separator: Self.nextLine) + "\n"
    }

    /// The option for the development key, so that the command works in any directory.
    private var signer: String {
        guard let key = subject.developmentKey, let path = key.path else { return "" }
        return " --key \(Self.quoted("\(path),\(key.keyID),\(key.teamID)"))"
    }

    private static let nextLine = " \\\n  "

    /// Quotes any text as one word for a POSIX shell.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

extension InspectedServer {
    /// The URL of a push, at a listener of the environment in which it arrived if possible.
    func pushURL(of facts: PushFacts) -> String {
        let environment = facts.record.environment
        let listener =
            server.listeners.first { $0.address.environment == environment } ?? server.listeners.first
        return (listener?.url ?? "https://127.0.0.1:2197") + facts.path
    }
}
