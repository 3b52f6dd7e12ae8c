import MockAPNs
import TestSupport
import Testing

@testable import MockAPNsVerifying

@Suite struct OtherNamespacesTests {
    @Test func `the number of pushes to look at is limited for all namespaces together`() async throws {
        try await withVerified { pushes in
            for name in ["a", "b"] {
                var draft = Namespaces.Draft(name: name)
                draft.hasListener = false
                let space = try await pushes.server.namespaces.add(draft)
                space.world.publish([PushDraft(), PushDraft(), PushDraft()])
            }
            let verification = Verification(matcher: .any, after: 0, before: nil)
            let rows = [(0, []), (2, ["b:2"]), (4, ["b:3", "a:1"]), (9, ["b:3", "a:3"])]
            for (limit, expected) in rows {
                let found = try await OtherNamespaces(verification, in: pushes, atMost: limit, Scan())
                #expect(found.counts.map { "\($0.name):\($0.count)" } == expected)
            }
        }
    }
}
