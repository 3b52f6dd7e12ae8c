import Foundation
import MockAPNsAPI
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsQuery

/// `docs/api.md` names everything that can be asked of a push.
@Suite struct DocumentationTests {
    private static let document: String = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/api.md")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// What stands under a title, up to the next one of the same level or above.
    private func section(_ title: String) throws -> String {
        let level = title.prefix { $0 == "#" }.count
        let lines = Self.document.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == title }, "docs/api.md has no '\(title)'")
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { line in
            let marks = line.prefix { $0 == "#" }.count
            return marks > 0 && marks <= level && line.dropFirst(marks).hasPrefix(" ")
        }
        return rest[..<(end ?? rest.endIndex)].joined(separator: "\n")
    }

    /// The rows of the tables in a text whose first cell has this in code, at its beginning.
    private func row(_ text: String, startingWith name: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("| `\(name)") }.map(String.init)
    }

    @Test func searchTableHasEveryWord() throws {
        let search = try section("### Search")
        for word in SearchWord.all.flatMap(\.names) {
            let isThere = search.contains("`\(word):")
            #expect(isThere, "the table of docs/api.md, Search, has no row for '\(word):'")
        }
    }

    @Test func searchTableHasEveryStateAndMember() throws {
        let search = try section("### Search")
        for (word, names) in [("is:", SearchWord.states.map(\.name)), ("has:", SearchWord.members.map(\.name))] {
            let line = try #require(self.row(search, startingWith: word))
            for name in names { #expect(line.contains("`\(name)`"), "'\(word)' has no '\(name)'") }
        }
    }

    @Test func matcherNamesEveryFieldAndOperator() throws {
        let verifying = try section("## Verifying")
        for name in MatcherReader.members + PushField.verdictFields.map(\.rawValue) {
            #expect(verifying.contains("`\(name)`"), "docs/api.md, Verifying, has no '\(name)'")
        }
        let table = verifying.split(separator: "\n").filter { $0.hasPrefix("| `") }.joined(separator: "\n")
        for name in Comparison.Operator.allCases.map(\.rawValue) {
            #expect(table.contains("`\(name)`"), "the table of operators has no '\(name)'")
        }
    }

    @Test func filtersAreThoseOfTheList() throws {
        let pushes = try section("## Pushes")
        let list = try #require(DebugAPI.routes.first { $0.path == "/api/v1/pushes" && $0.method == "GET" })
        for name in list.parameters.map(\.name) {
            let shown = name.hasSuffix(QueryReader.familyMark) ? "payload[" : name
            let isThere =
                pushes.contains("`\(shown)`") || pushes.contains("`\(shown)=") || pushes.contains("`\(shown)/")
                || pushes.contains("`payload[/") && shown == "payload["
            #expect(isThere, "docs/api.md, Pushes, has no '\(shown)'")
        }
    }

    @Test func everyDeliveryStateIsThere() throws {
        let delivery = try section("## Delivery")
        for name in PushQuery.deliveryNames { #expect(delivery.contains("`\(name)`"), "there is no '\(name)'") }
    }

    @Test func everyRouteOfPushesIsThere() {
        for route in DebugAPI.routes where route.path.hasPrefix("/api/v1/pushes") {
            let path = route.path
            let last = "/" + (path.split(separator: "/").last ?? "")
            // Paths that share a row are written by their last part.
            let isThere = Self.document.contains(path) || Self.document.contains("`\(last)`")
            #expect(isThere, "docs/api.md has no \(route.method) \(path)")
        }
    }
}
