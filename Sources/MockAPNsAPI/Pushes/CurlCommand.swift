package import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A push as a command that sends it again.
///
/// The signature of its provider token is not kept, so the command asks for another token.
package struct CurlCommand {
    private let facts: PushFacts
    private let url: String
    /// The file with the authority that clients have to trust.
    private let authority: String?
    /// The value of `--key` for the development key, so that the command works in any directory.
    private let key: String?

    package init(_ facts: PushFacts, in subject: ShownNamespace, authority: String?, key: String?) {
        (self.facts, url) = (facts, subject.pushURL(of: facts))
        (self.authority, self.key) = (authority, key)
    }

    package var text: String {
        let authority = authority.map(Self.quoted) ?? "ca.pem"
        let certificate = url.hasPrefix("https") ? "--http2 --cacert \(authority)" : "--http2-prior-knowledge"
        let signer = key.map { " --key \(Self.quoted($0))" } ?? ""
        var words = ["curl \(certificate) \(Self.quoted(url))"]
        if facts.method != "POST" { words.append("-X \(Self.quoted(facts.method))") }
        for (name, value) in facts.repeatableHeaders where name != "content-length" {
            let isToken = name == HeaderName.authorization.text.description && (facts.hasToken || facts.record.isBinary)
            words.append(
                isToken
                    ? #"-H "authorization: bearer $(mock-apns token\#(signer))""#
                    : "-H \(Self.quoted("\(name): \(value)"))")
        }
        let body = facts.record.request.body
        guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else {
            // A shell's words cannot have these bytes, so printf writes them.
            let bytes = body.map { "\\" + String(UInt32($0) + 0o1000, radix: 8).dropFirst() }.joined()
            return "printf '\(bytes)' | " + (words + ["--data-binary @-"]).joined(separator: Self.nextLine) + "\n"
        }
        words.append("--data-binary \(Self.quoted(text))")
        return words.joined(separator: Self.nextLine) + "\n"
    }

    private static let nextLine = " \\\n  "

    /// Quotes any text as one word for a POSIX shell.
    package static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
