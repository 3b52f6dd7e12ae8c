internal import FoundationEssentials
internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

/// Reads exported pushes, one per line.
///
/// A file has tens of megabytes: whoever serves others meanwhile lets them have the thread between two lines.
package struct PushImport: ~Copyable {
    private static let mostComplaints = 20
    /// No push has a longer line; it bounds the time between two lines.
    private static let longestLine = 2 << 20
    /// The transport accepts nothing larger.
    private static let mostHeaderBytes = 16_384
    private static let mostBodyBytes = 65_536
    private static let mostSteps = 1_000

    /// The lines with a push.
    private(set) var documents: [[UInt8]] = []
    private(set) var answers: [Journal.AdoptedAnswer] = []
    let batch = RecordBatch()

    /// The schemas of a push.
    private static let schemas = Vocabulary.schemas.merging(APIObject<PushShape>.schema(nil, .response).named) { $1 }

    private let check = SchemaCheck(schemas)
    private let checks: [[String]]
    private var complaints: [Complaint] = []
    private let lines: [UInt8]
    /// Where the next line begins, and its number; the start is behind the end after the last line.
    private var next = (start: 0, number: 1)

    /// Begins to read; `readLine` reads on.
    package init(of lines: [UInt8], in subject: ShownNamespace) {
        checks = subject.checks.map { $0.map(\.id) }
        self.lines = lines
    }

    /// Reads all lines; throws a `Problem` that lists invalid ones.
    package init(_ lines: [UInt8], in subject: ShownNamespace) throws(Problem) {
        self.init(of: lines, in: subject)
        while readLine() {}
        try finish()
    }

    /// Reads the next line; returns `false` if there is none, or if there are enough mistakes.
    package mutating func readLine() -> Bool {
        guard next.start <= lines.count, complaints.count < Self.mostComplaints else { return false }
        let end = lines[next.start...].firstIndex(of: UInt8(ascii: "\n")) ?? lines.count
        let line = lines[next.start..<end]
        if line.count > Self.longestLine {
            let message = "has \(line.count) bytes; no push has more than \(Self.longestLine)"
            complain(next.number, Complaint(path: "", message: message))
        } else if !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) {
            read(Array(line), next.number)
        }
        next = (end + 1, next.number + 1)
        return true
    }

    /// Throws a `Problem` that lists the invalid lines.
    package func finish() throws(Problem) {
        if !complaints.isEmpty, let complaint = ForeignText.complaint(about: lines) {
            throw .badBody("\(complaint). Nothing was imported")
        }
        guard complaints.isEmpty else {
            var detail = complaints.map { complaint in
                let suggestion = complaint.suggestion.map { " (did you mean '\($0)'?)" } ?? ""
                return "\(complaint.path) \(complaint.message)\(suggestion)."
            }
            if complaints.count == Self.mostComplaints { detail.append("Later mistakes are not listed.") }
            detail.append("Nothing was imported.")
            throw Problem(.badBody, detail.joined(separator: " "), complaints: complaints)
        }
        guard !documents.isEmpty else {
            throw .badBody("has no pushes; expected one JSON object per line, as an export has them")
        }
    }

    private mutating func complain(_ line: Int, _ complaint: Complaint) {
        guard complaints.count < Self.mostComplaints else { return }
        let path = "line \(line)" + (complaint.path.isEmpty ? "" : " \(complaint.path)")
        complaints.append(Complaint(path: path, message: complaint.message, suggestion: complaint.suggestion))
    }

    private mutating func read(_ line: [UInt8], _ number: Int) {
        let document: JSONValue
        do throws(JSONParser.Failure) { document = try JSONParser.parse(line, repeatedNames: .refused) } catch {
            let message = "is not JSON: at byte \(error.offset), expected \(error.expected)"
            return complain(number, Complaint(path: "", message: message))
        }
        // Parts that a later version added may be missing; this server fills them in.
        let wrong = check.complaints(document, as: "Push").filter { complaint in
            complaint.message != "is missing" || ImportedPush.needed.contains(complaint.path)
                || complaint.path.dropFirst().contains("/")
        }
        guard wrong.isEmpty else {
            for complaint in wrong { complain(number, complaint) }
            return
        }
        do throws(Complaint) {
            let push = try ImportedPush(document, checks: checks)
            // Counted as in RFC 9113, section 6.5.2, so that empty headers are limited, too.
            let headerBytes = push.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
            guard headerBytes <= Self.mostHeaderBytes, push.body.count <= Self.mostBodyBytes,
                push.answer.steps.count <= Self.mostSteps
            else { throw Complaint(path: "/request", message: "is larger than any push") }
            RequestView.withRequest(
                headers: push.headers, body: push.body, bodyLength: push.bodyLength,
                headerBlockLength: push.headerBlockLength
            ) {
                batch.append(
                    $0, push.facts, credential: push.credential, certificate: push.certificate, problem: push.problem)
            }
            documents.append(line)
            answers.append(push.answer)
        } catch { complain(number, error) }
    }
}

extension ShownNamespace {
    /// Adds pushes to the journal, together with their documents.
    package func adopt(_ pushes: borrowing PushImport) -> (seqs: [UInt64], extent: Journal.Extent) {
        let (batch, answers, documents) = (pushes.batch, pushes.answers, pushes.documents)
        var seqs: [UInt64] = []
        var extent = journal.extent
        imports.add {
            (seqs, extent) = journal.adopt(batch, answers)
            return (Dictionary(uniqueKeysWithValues: zip(seqs, documents)), extent.epoch, extent.firstSeq)
        }
        return (seqs, extent)
    }
}
