internal import MockAPNsRules
internal import MockAPNsWorld

/// Reads which pushes a fault is for.
enum FaultMatch {
    static let members = ["connection", "topic"]

    /// The condition where the reader stands; `nil` for every push.
    static func pushes(_ body: inout BodyReader) -> FaultDraft.Match? {
        body.optional("topic", .text("a topic")).map { topic in
            FaultDraft.Match(
                text: String(decoding: JSONValue.object(["topic": .string(topic)]).text, as: UTF8.self)
            ) {
                request,
                _ in request[.apnsTopic]?.text == topic
            }
        }
    }
}
