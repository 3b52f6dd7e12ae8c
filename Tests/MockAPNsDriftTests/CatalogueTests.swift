import Foundation
import MockAPNs
import MockAPNsCrypto
import Testing

@testable import MockAPNsDrift

/// The table of cases.
struct CatalogueTests {
    @Test func `there are enough cases, each with a name of its own`() {
        let names = DriftCatalogue.all.map(\.id)
        #expect(names.count >= 160 && Set(names).count == names.count)
    }

    @Test func `no request goes to a device, and only those with a token of their own come last`() throws {
        let provider = try Fixture.provider()
        let first = DriftCatalogue.all.firstIndex { $0.hasOwnToken } ?? 0
        let areLast = DriftCatalogue.all[first...].allSatisfy { $0.hasOwnToken }
        #expect(areLast)
        for item in DriftCatalogue.all {
            let draft = item.draft(provider)
            let ends = draft.path == "/3/device/\(provider.deviceToken)"
            // Every other path is shorter or longer than a device token of 32 bytes.
            let token = draft.path.split(separator: "/").last ?? ""
            #expect(ends || token.count < 64 || token.count > 160, "\(item.id)")
        }
    }

    @Test func `options exist`() throws {
        for option in Set(DriftCatalogue.all.flatMap(\.choices).map(\.option)) {
            let words = option.split(separator: " ").map(String.init)
            var configuration = Configuration()
            if words[0] == "--behavior" {
                try Behavior.choose(words[1], in: &configuration)
            } else {
                let checks = words[1].split(separator: ",").map(String.init)
                _ = try configuration.pipeline.reordered(checks)
            }
        }
    }
}

enum Fixture {
    static func provider() throws -> DriftProvider {
        DriftProvider(
            key: try SigningKey.generate(), keyID: "DRIFTKEY01", teamID: "DRIFTTEAM1", topic: "com.example.drift",
            now: Int64(time(nil)), deviceToken: String(repeating: "5e", count: 32))
    }
}
