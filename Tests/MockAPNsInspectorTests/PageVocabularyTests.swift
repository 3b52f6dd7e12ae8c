import MockAPNsAPI
import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

/// Names of the server that the page's modules repeat.
struct PageVocabularyTests {
    private static let vocabulary = "core/vocabulary.js"

    /// The text of a constant of the page: a list in one or more lines, or an object.
    private static func constant(_ name: String, of file: String) throws -> Substring {
        let text = String(decoding: try #require(PageFile.at(file)).bytes, as: UTF8.self)
        let start = try #require(text.firstRange(of: "const \(name) = ")).upperBound
        let isList = text[start] == "["
        return text[start...].prefix(
            upTo: try #require(text[start...].firstRange(of: isList ? "]\n" : "\n}")).lowerBound)
    }

    private static func list(_ name: String, of file: String) throws -> [String] {
        try constant(name, of: file).matches(of: /"([^"]+)"/).map { String($0.1) }
    }

    private static func names(_ name: String) throws -> [String] {
        try constant(name, of: vocabulary).matches(of: #/\n {2}"?([\w-]+)"?: /#).map { String($0.1) }
    }

    @Test func `the page listens to every type of event`() throws {
        let types = EventType.allCases.map(\.rawValue) + [ServerSentEvent.gapName, "closed"]
        #expect(try Self.list("TYPES", of: "core/event-stream.js") == types)
    }

    @Test func `the page asks the server for what is the same in every namespace`() throws {
        let paths = ServerPaths.same.map { "/" + $0 }
        #expect(try Self.list("SHARED", of: "core/api.js") == paths)
        for path in ServerPaths.same {
            let isRoute = RouteGroup.all.flatMap(\.routes).contains { $0.path == ServerPaths.root + path }
            #expect(isRoute, "\(path) is no path of the API")
        }
    }

    @Test func `the page knows every push type with the suffix of its topics`() throws {
        #expect(try Self.names("PUSH_TYPES").sorted() == PushType.allCases.map(\.name).sorted())
        let suffixes = PushType.allCases.map { "\($0.row.topicSuffix)" }.filter { !$0.isEmpty }
        let seen = try Self.constant("PUSH_TYPES", of: Self.vocabulary).matches(of: /suffix: "([^"]+)"/).map {
            String($0.1)
        }
        #expect(seen.sorted() == suffixes.sorted())
    }

    @Test func `the page has words for every step and detail of a delivery`() throws {
        let steps = Set(DeliveryEvent.allCases.map { "\($0.row.event)" })
        #expect(Set(try Self.names("PUSH_EVENTS")) == steps.union(["received", "checked", "fault", "responded"]))
        let details = Set(DeliveryEvent.allCases.compactMap { $0.row.detail.map { "\($0)" } })
        #expect(Set(try Self.names("EVENT_DETAILS")) == details)
    }

    @Test func `the page has words for every cause of the feedback list and every state of an app`() throws {
        #expect(Set(try Self.names("FEEDBACK_CAUSES")) == Set(FeedbackEntry.Cause.allCases.map(\.rawValue)))
        #expect(Set(try Self.names("APP_STATES")) == Set(AppState.allCases.map(\.rawValue)))
    }
}
