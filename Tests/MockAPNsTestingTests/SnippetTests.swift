import Foundation
import TestSupport
import Testing

/// The code of articles is in files of this target, so it is compiled and run.
struct SnippetTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    @Test(arguments: ["FirstTest", "ParallelTests", "OfflinePhones", "LiveActivities"])
    func `the code of an article is compiled`(_ name: String) throws {
        let article = try Self.lines("Sources/MockAPNsTesting/Documentation.docc/\(name).md")
        let snippet = try Self.lines("Tests/MockAPNsTestingTests/Snippets/\(name).swift")
        let blocks = Self.blocks(article)
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(Self.contains(block, in: snippet), "\(block)") }
    }

    @Test func `the test of the README is compiled`() throws {
        let readme = try Self.lines("README.md")
        let blocks = Self.blocks(readme).filter { $0.first == "import MockAPNsTesting" }
        let snippet = try Self.lines("Tests/MockAPNsTestingTests/Snippets/ReadmeTest.swift")
        #expect(blocks == [snippet])
    }

    @Test func `the test of a ride is that of the article`() throws {
        let snippet = try Self.lines("Tests/MockAPNsTestingTests/Snippets/LiveActivities.swift")
        let blocks = Self.blocks(try Self.lines("docs/live-activities.md"))
        #expect(blocks.count == 1)
        for block in blocks { #expect(Self.contains(block, in: snippet), "\(block)") }
    }

    @Test func `the test that the page creates passes`() async throws {
        try await withServerPlace {
            try await Place.withRemote { api in
                try await pageTest(api: api) { apns in
                    let phone = try await apns.addPhone(topic: "com.example.app")
                    try await Provider(apns).send(
                        title: #"\"Now\" \\(title) \u202e日本"#, to: phone.token,
                        members: #","badge":-1,"list":[1.5,null,false]"#)
                }
            }
        }
    }

    private static func lines(_ path: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    /// The lines of each block of Swift.
    private static func blocks(_ lines: [String]) -> [[String]] {
        var blocks: [[String]] = []
        var rest = lines[...]
        while let start = rest.firstIndex(of: "```swift") {
            rest = rest[(start + 1)...]
            let end = rest.firstIndex(of: "```") ?? rest.endIndex
            blocks.append(Array(rest[..<end]))
            rest = rest[end...]
        }
        return blocks
    }

    /// Whether the lines follow each other; a brace at the end may come later.
    private static func contains(_ block: [String], in lines: [String]) -> Bool {
        let block = block.last == "}" ? Array(block.dropLast()) : block
        return lines.indices.contains { lines[$0...].starts(with: block) }
    }
}
