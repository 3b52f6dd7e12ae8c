import Foundation
import Testing

/// The stories of `kits/stories.json` that concern a kit whose server is in the test's process, and their tests here.
struct StoriesTests {
    /// The file in this target and a part of it, by the identifier of the story.
    private static let tests: [String: (file: String, part: String)] = [
        "namespace": ("TraitTests", "`every test has a namespace of its own`"),
        "parallel-tests": ("TraitTests", "`every test has a server of its own`"),
        "provider-values": ("Support/Provider", "trust: apns.trustRootsPEM, key: apns.key"),
        "provider-token": ("HandleTests", "`tokens expire by the clock, and keys can be revoked`"),
        "push-arrives": ("HandleTests", "`a push has what the provider has sent`"),
        "phone-with-token": ("TraitTests", "`every test has a namespace of its own`"),
        "phone-offline": ("Snippets/OfflinePhones", "whatIsOfflineGetsTheLast"),
        "app-uninstalled": ("HandleTests", "`an app that is gone is answered 410 and in the feedback`"),
        "stored-expires": ("Snippets/OfflinePhones", "whatExpiresIsNotShown"),
        "push-rejected": ("HandleTests", "`an app that is gone is answered 410 and in the feedback`"),
        "expect-conditions": ("HandleTests", "`a push has what the provider has sent`"),
        "expect-exactly": ("ExpectationTests", "`one push too many fails an exact count`"),
        "expect-none": ("ExpectationTests", "`a push that must not come is shown`"),
        "expect-sequence": ("ExpectationTests", "`a sequence has to come in its order`"),
        "wait-for-idle": ("Snippets/FirstTest", "nothingIsSentToAnotherPhone"),
        "failure-report": (
            "ExpectationTests", "`a failure has the report of the nearest push, at the caller's line`"
        ),
        "failure-place": (
            "ExpectationTests", "`a failure has the report of the nearest push, at the caller's line`"
        ),
        "search-mistake": ("ExpectationTests", "`a mistake in a search is reported with what is expected`"),
        "fault": ("HandleTests", "`faults fire for the pushes that match`"),
        "fault-kinds": ("HandleTests", "`faults fire for the pushes that match`"),
        "clock": ("HandleTests", "`tokens expire by the clock, and keys can be revoked`"),
        "keys": ("HandleTests", "`tokens expire by the clock, and keys can be revoked`"),
        "channels": ("HandleTests", "`phones subscribe to channels`"),
        "attachments": ("AttachmentTests", "`a failed test has its pushes as attachments, and one failure`"),
    ]

    /// The stories that have no test here yet: what the kit does not have, and what only other tests use.
    private static let untold: [String: String] = [
        "namespace-gone": "is not looked at: withNamespace deletes it",
        "page": "the handle has no address of the page",
        "failure-keeps-page": "the handle has no address of the page",
        "token-rotated": "the handle cannot rotate a device token",
        "fault-preset": "the handle has only single faults",
        "phone-goes-offline": "tests create phones that are offline",
        "expect-waits": "tests send before they expect",
        "pushes": "is used for rejected pushes only",
        "push-warnings": "is used for pushes without warnings only",
    ]

    private struct List: Decodable {
        struct Story: Decodable {
            let id: String
            let program: Bool?
        }
        let stories: [Story]
    }

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    @Test func `every story is told, or known not to be`() throws {
        let file = Self.root.appending(path: "kits/stories.json")
        let list = try JSONDecoder().decode(List.self, from: Data(contentsOf: file))
        let stories = list.stories.filter { $0.program != true }.map(\.id)
        #expect(stories.sorted() == (Array(Self.tests.keys) + Array(Self.untold.keys)).sorted())
    }

    @Test(arguments: tests.keys.sorted())
    func `the test of a story exists`(_ story: String) throws {
        let test = try #require(Self.tests[story])
        let file = Self.root.appending(path: "Tests/MockAPNsTestingTests/\(test.file).swift")
        #expect(try String(contentsOf: file, encoding: .utf8).contains(test.part))
    }
}
