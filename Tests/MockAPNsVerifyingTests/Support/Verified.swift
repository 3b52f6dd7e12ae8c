import MockAPNs
import MockAPNsFormats
import MockAPNsQuery
import MockAPNsVerifying
import TestSupport

/// Lends the default namespace of a server, and stops the server afterwards.
func withVerified(_ use: (VerifiedNamespace) async throws -> Void) async throws {
    var configuration = Configuration()
    configuration.seed = .max
    try await withServerPlace {
        try await withMockAPNs(configuration) { server in try await use(VerifiedNamespace(of: server)) }
    }
}

extension PushDraft {
    /// A push whose alert has a title.
    static func titled(_ title: String) -> PushDraft {
        var draft = PushDraft()
        draft.body = Array(#"{"aps":{"alert":{"title":"\#(title)"}}}"#.utf8)
        return draft
    }
}

extension PushMatcher {
    /// A matcher for pushes whose alert has a title.
    static func titled(_ title: String) -> PushMatcher {
        let json: JSONValue = ["payload": ["at": "/aps/alert/title", "equals": .string(title)]]
        var complaints: [Complaint] = []
        let matcher = read(json, at: "", now: PushDraft.now, complaints: &complaints)
        guard let matcher else { preconditionFailure("\(complaints)") }
        return matcher
    }
}
