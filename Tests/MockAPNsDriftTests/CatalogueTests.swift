import Foundation
import MockAPNs
import MockAPNsRules
import MockAPNsUpstream
import Testing

@testable import MockAPNsDrift

/// The table of cases.
struct CatalogueTests {
    private static let all = DriftCatalogue.all + [DriftCatalogue.otherEnvironment]

    @Test func `there are enough cases, each with a name of its own`() {
        let names = Self.all.map(\.id)
        #expect(names.count >= 300 && Set(names).count == names.count)
        #expect(Self.all.allSatisfy { !$0.decides.isEmpty && !$0.source.isEmpty })
    }

    @Test func `no request goes to a device of anyone`() throws {
        let provider = try Fixture.provider()
        for item in Self.all where item.need != .device && item.need != .channels {
            for draft in [item.draft(provider)] + item.preludeDrafts(provider) {
                let isUnknown = draft.path.lowercased().contains(provider.deviceToken)
                // Every other path is shorter or longer than a device token of 32 bytes.
                let token = draft.path.split(separator: "/").last ?? ""
                #expect(isUnknown || token.count < 64 || token.count > 160, "\(item.id)")
            }
        }
    }

    @Test func `a device of the user gets few pushes, and silent ones only`() throws {
        var provider = try Fixture.provider()
        provider.ownDeviceToken = Fixture.deviceToken
        let pushes = Self.all.filter { item in
            ([item.draft(provider)] + item.preludeDrafts(provider)).contains {
                $0.path.lowercased().contains(Fixture.deviceToken)
            }
        }
        #expect((10...DriftCatalogue.mostToDevice).contains(pushes.count))
        for item in pushes {
            let draft = item.draft(provider)
            func values(_ name: String) -> [String] { draft.headers.filter { $0.name == name }.map(\.value) }
            #expect(item.need == .device && values("apns-push-type") == ["background"], "\(item.id)")
            #expect(values("apns-priority") == ["5"], "\(item.id)")
            let body = String(decoding: draft.body, as: UTF8.self)
            #expect(!["alert", "sound", "badge"].contains { body.contains($0) }, "\(item.id)")
        }
        #expect(DriftCatalogue.cases(with: []).allSatisfy { $0.need == nil })
    }

    @Test func `nothing is sent to a channel, and only one is made`() throws {
        let provider = try Fixture.provider()
        let drafts = DriftCatalogue.channels.map { $0.draft(provider) }
        #expect(drafts.allSatisfy { $0.path.hasPrefix("/1/apps/\(provider.topic)/") })
        let made = DriftCatalogue.channels.filter { item in
            let draft = item.draft(provider)
            // What is refused has another body, or none.
            return draft.method == "POST" && item.choices.isEmpty
        }
        #expect(made.map(\.id) == ["channel-create"])
        #expect(DriftCatalogue.channelLife.allSatisfy { id in DriftCatalogue.channels.contains { $0.id == id } })
    }

    @Test func `options exist, and every choice of a behavior is decided or cannot be`() throws {
        var decided: Set<String> = []
        for option in Set(Self.all.flatMap(\.choices).map(\.option)) {
            let words = option.split(separator: " ").map(String.init)
            var configuration = Configuration()
            if words[0] == "--behavior" {
                try Behavior.choose(words[1], in: &configuration)
                decided.insert(words[1])
            } else {
                _ = try configuration.pipeline.reordered(words[1].split(separator: ",").map(String.init))
            }
        }
        for behavior in Behavior.all where DriftCatalogue.undecided[behavior.name] == nil {
            for value in behavior.values.dropFirst() {
                #expect(decided.contains("\(behavior.name)=\(value)"), "\(behavior.name)=\(value)")
            }
        }
        #expect(DriftCatalogue.undecided.keys.allSatisfy { name in Behavior.all.contains { $0.name == name } })
    }

    @Test(arguments: [
        ("sandbox", "https://api.sandbox.push.apple.com", "https://api-manage-broadcast.sandbox.push.apple.com:2195"),
        ("production", "https://api.push.apple.com", "https://api-manage-broadcast.push.apple.com:2196"),
        ("https://example.com:2197", "https://example.com:2197", "https://example.com:2197"),
    ]) func `each service has its hosts`(name: String, pushes: String, channels: String) throws {
        let target = try DriftTarget(parsing: name)
        #expect(target.address.description == pushes && target.channels.description == channels)
        #expect(!target.isLocal && target.name == (name.contains(":") ? "other" : name))
    }

    @Test(arguments: [
        ("https://localhost", true), ("http://127.0.0.1:1", true), ("https://[::1]:1", true),
        ("https://127.0.0.1.example.com", false), ("https://localhost.example.com", false),
        ("https://128.0.0.1", false),
    ]) func `only this machine is local`(address: String, isLocal: Bool) throws {
        #expect(try DriftTarget(parsing: address).isLocal == isLocal)
    }

    @Test func `requests are listed without secrets`() throws {
        let provider = try DriftProvider.example(topic: nil, hasDevice: true)
        for item in Self.all {
            let text = item.draft(provider).text
            #expect(!text.contains("\n") && text.count < 1_000, "\(item.id)")
        }
    }
}

/// docs/differences.md names the cases that decide its rows.
struct RowTests {
    private struct Row: Hashable {
        let section: String
        let what: String
        let cases: [String]
    }

    /// The rows of the tables that have a column for cases.
    private static func rows() throws -> [Row] {
        let text = try String(contentsOf: repository.appendingPathComponent("docs/differences.md"), encoding: .utf8)
        var section = ""
        var rows: [Row] = []
        var hasCases = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            guard line.hasPrefix("| ") else { continue }
            let cells = line.dropFirst().dropLast().replacing("\\|", with: "¦").split(
                separator: "|", omittingEmptySubsequences: false
            ).map { $0.trimmingCharacters(in: .whitespaces) }
            if cells[0] == "what" || cells[0] == "step" {
                hasCases = cells.last == "case"
            } else if hasCases, cells[0] != "---" {
                #expect(cells.count == 4, "\(line)")
                rows.append(
                    Row(section: section, what: cells[0], cases: cells[3].matches(of: /`([^`]+)`/).map { String($0.1) })
                )
            }
        }
        return rows
    }

    @Test func `each row names the cases that decide it, and no other`() throws {
        let rows = try Self.rows()
        let known = Set(DriftCatalogue.all.map(\.id) + [DriftCatalogue.otherEnvironment.id])
        var found: Set<Row> = []
        for row in DriftRow.all {
            let matching = rows.filter { $0.section == row.section && $0.what.hasPrefix(row.what) }
            #expect(matching.count == 1, "\(row.text)")
            #expect(matching.first?.cases == row.cases, "\(row.text)")
            #expect(row.cases.allSatisfy(known.contains), "\(row.cases.filter { !known.contains($0) })")
            found.formUnion(matching)
        }
        #expect(rows.filter { !$0.cases.isEmpty && !found.contains($0) }.isEmpty)
        #expect(found.count == DriftRow.all.count && found.count > 50)
    }

    @Test func `each behavior that a case decides has a row that names one of its cases`() throws {
        let text = try String(contentsOf: repository.appendingPathComponent("docs/differences.md"), encoding: .utf8)
        for behavior in Behavior.all where DriftCatalogue.undecided[behavior.name] == nil {
            let cases = DriftCatalogue.all.filter { item in
                item.choices.contains { $0.option.hasPrefix("--behavior \(behavior.name)=") }
            }
            let rows = text.split(separator: "\n").filter { $0.contains("`\(behavior.name)=") }
            #expect(rows.contains { row in cases.contains { row.contains("`\($0.id)`") } }, "\(behavior.name)")
        }
    }
}
