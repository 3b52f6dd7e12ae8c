import Foundation
import Testing

/// The stories of `kits/stories.json` that concern a kit whose server is in the test's process, and their tests here.
struct StoriesTests {
    /// The file in this target and a part of it, by the identifier of the story.
    private static let tests: [String: (file: String, part: String)] = [
        "namespace": ("TraitTests", "`every test has a namespace of its own`"),
        "namespace-gone": ("HandleTests", "`a namespace is gone after its test`"),
        "parallel-tests": ("TraitTests", "`every test has a server of its own`"),
        "provider-values": ("Support/Provider", "trust: apns.trustRootsPEM, key: apns.key"),
        "provider-token": ("HandleTests", "`tokens expire by the clock, and keys can be revoked`"),
        "page": ("HandleTests", "`the page is the inspector of the mock`"),
        "push-arrives": ("HandleTests", "`a push has what the provider has sent`"),
        "phone-with-token": ("TraitTests", "`every test has a namespace of its own`"),
        "phone-offline": ("Snippets/OfflinePhones", "whatIsOfflineGetsTheLast"),
        "phone-goes-offline": ("HandleTests", "`a phone goes offline`"),
        "app-uninstalled": ("HandleTests", "`an app that is gone is answered 410 and in the feedback`"),
        "token-rotated": ("HandleTests", "`an app gets a new token`"),
        "stored-expires": ("Snippets/OfflinePhones", "whatExpiresIsNotShown"),
        "pushes": ("ExpectationTests", "`pushes are listed in order, accepted ones unless others are asked for`"),
        "push-rejected": ("HandleTests", "`an app that is gone is answered 410 and in the feedback`"),
        "expect-waits": ("ExpectationTests", "`an expectation waits for its push`"),
        "expect-conditions": ("HandleTests", "`a push has what the provider has sent`"),
        "expect-exactly": ("ExpectationTests", "`one push too many fails an exact count`"),
        "expect-none": ("ExpectationTests", "`a push that must not come is shown`"),
        "expect-sequence": ("ExpectationTests", "`a sequence has to come in its order`"),
        "wait-for-idle": ("Snippets/FirstTest", "nothingIsSentToAnotherPhone"),
        "push-warnings": ("ExpectationTests", "`a push has its warnings`"),
        "failure-report": ("ExpectationTests", "`a failure has the report of the nearest push, at the caller's line`"),
        "failure-keeps-page": ("ExpectationTests", "`a failed expectation keeps its namespace, and so its page`"),
        "failure-place": ("ExpectationTests", "`a failure has the report of the nearest push, at the caller's line`"),
        "search-mistake": ("ExpectationTests", "`a mistake in a search is reported with what is expected`"),
        "fault": ("HandleTests", "`faults fire for the pushes that match`"),
        "fault-kinds": ("HandleTests", "`faults fire for the pushes that match`"),
        "fault-preset": ("HandleTests", "`a preset fires for the pushes that match`"),
        "clock": ("HandleTests", "`tokens expire by the clock, and keys can be revoked`"),
        "keys": ("HandleTests", "`tokens expire by the clock, and keys can be revoked`"),
        "channels": ("HandleTests", "`phones subscribe to channels`"),
        "app-schema": ("HandleTests", "`a push fits the schema of its app, or has a warning`"),
        "phone-os": ("ActivityTests", "`an older phone starts nothing`"),
        "activity": ("ActivityTests", "`an activity follows its pushes, and ignores an older one`"),
        "activity-by-app": ("ActivityTests", "`an app starts an activity itself`"),
        "activity-token": ("ActivityTests", "`the token of an activity is replaced, and dies with it`"),
        "expect-activity": ("ActivityTests", "`a state is waited for, and missed with a report`"),
        "attachments": ("AttachmentTests", "`a failed test has its pushes as attachments, and one failure`"),
    ]

    private struct List: Decodable {
        struct Story: Decodable {
            let id: String
            let program: Bool?
        }
        let stories: [Story]
    }

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    @Test func `every story is told`() throws {
        let file = Self.root.appending(path: "kits/stories.json")
        let list = try JSONDecoder().decode(List.self, from: Data(contentsOf: file))
        let stories = list.stories.filter { $0.program != true }.map(\.id)
        #expect(stories.sorted() == Self.tests.keys.sorted())
    }

    @Test(arguments: tests.keys.sorted()) func `the test of a story exists`(_ story: String) throws {
        let test = try #require(Self.tests[story])
        let file = Self.root.appending(path: "Tests/MockAPNsTestingTests/\(test.file).swift")
        #expect(try String(contentsOf: file, encoding: .utf8).contains(test.part))
    }
}
