import MockAPNs

@testable import MockAPNsAPI
@testable import MockAPNsFormats
@testable import MockAPNsInspector
@testable import MockAPNsRules
@testable import MockAPNsWorld

/// Pushes that are imported, and every form in which they are shown afterwards.
enum ImportFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let subject = FuzzServer.subject
        defer { _ = subject.world.reset([.pushes]) }
        guard let first = try imported(bytes, into: subject) else { return }
        for seq in first.seqs {
            guard let record = subject.journal.push(seq: seq) else {
                throw Finding(description: "the push \(seq) is not there")
            }
            try PushViews.check(record, in: subject)
        }
        let lines = exported(first.seqs, from: subject)
        guard let second = try imported(lines, into: subject) else {
            throw Finding(
                description: "what was exported cannot be imported: \(String(decoding: lines, as: UTF8.self))")
        }
        try require(second.count == first.count, "\(second.count) of \(first.count) pushes come back")
        let again = exported(second.seqs, from: subject)
        try require(blanked(lines) == blanked(again), "exporting again gives something else")
    }

    /// Imports pushes; `nil` when that is refused, for a reason that is checked.
    private static func imported(
        _ bytes: [UInt8], into subject: InspectedServer
    ) throws -> (seqs: [UInt64], count: Int)? {
        do throws(Problem) {
            let pushes = try PushImport(bytes, in: subject.shown)
            let (seqs, _) = subject.shown.adopt(pushes)
            return (seqs, pushes.documents.count)
        } catch {
            try require(error.kind == .badBody && !error.complaints.isEmpty, "refused without a complaint")
            let problem = APIObject<ProblemShape>(error).serialized
            try require(JSONParser.value(of: problem) != nil, "the problem is not JSON")
            return nil
        }
    }

    private static func exported(_ seqs: [UInt64], from subject: InspectedServer) -> [UInt8] {
        let export = PushExport(seqs, in: subject.shown)
        var bytes: [UInt8] = []
        while let numbers = export.nextNumbers() {
            bytes += export.piece(of: numbers.compactMap { subject.journal.push(seq: $0) })()
        }
        return bytes
    }

    /// Pushes without the numbers that are a server's own.
    private static func blanked(_ lines: [UInt8]) -> [JSONValue] {
        lines.split(separator: UInt8(ascii: "\n")).map { line in
            guard case .object(var push)? = JSONParser.value(of: Array(line)) else { return .null }
            for name in ["id", "seq", "epoch"] { push[name] = nil }
            if case .object(var delivery)? = push["delivery"] {
                delivery["timeline"] = .array(
                    delivery["timeline"].entries.map { step in
                        guard case .object(var step) = step else { return step }
                        step["seq"] = nil
                        return .object(step)
                    })
                push["delivery"] = .object(delivery)
            }
            return .object(push)
        }
    }
}
