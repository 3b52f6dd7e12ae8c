package import MockAPNsFormats

/// The result of a comparison, made to be shown to others: without tokens, keys, IDs and addresses.
package struct DriftReport: Equatable, Sendable {
    /// What a case got from the service and from the mock.
    package struct Outcome: Equatable, Sendable {
        package let id: String
        package let decides: String
        /// The row of docs/differences.md that the case decides.
        package let row: String?
        package let mock: DriftAnswer
        package let service: DriftAnswer
        /// The options of `serve` that would explain the difference.
        package let options: [String]

        package var differences: [String] { service.differences(from: mock) }
    }

    /// `sandbox`, `production` or `other`.
    package var upstream: String
    package var outcomes: [Outcome] = []
    /// Why the comparison ended early; `nil` if it is complete.
    package var stopped: String?

    package init(upstream: String) { self.upstream = upstream }

    package var differing: [Outcome] { outcomes.filter { !$0.differences.isEmpty } }

    /// Whether the mock answers like the service as far as was compared, and everything was.
    package var agrees: Bool { differing.isEmpty && stopped == nil }

    /// The report as JSON.
    package var json: JSONValue {
        func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        func value(_ answer: DriftAnswer) -> JSONValue {
            .object([
                "status": .integer(Int64(answer.status)), "reason": JSONValue(answer.reason),
                "headers": texts(answer.headers), "body": .string(answer.body),
                "connection": JSONValue(answer.connection),
            ])
        }
        let cases = outcomes.map { outcome in
            JSONValue.object([
                "id": .string(outcome.id), "decides": .string(outcome.decides), "row": JSONValue(outcome.row),
                "mock": value(outcome.mock), "service": value(outcome.service), "differs": texts(outcome.differences),
                "options": texts(outcome.options),
            ])
        }
        return .object([
            "format": .integer(Self.format), "upstream": .string(upstream), "cases": .array(cases),
            "stopped": JSONValue(stopped),
        ])
    }

    private static let format: Int64 = 1
    /// The most cases that a report may have.
    private static let mostCases = 10_000

    /// Why a text is not a report.
    package struct Invalid: Error, Equatable, CustomStringConvertible { package let description: String }

    /// Reads a report that `json` has written.
    ///
    /// Only options that a case has are read: a report may come from anywhere, and its options are printed as a command.
    ///
    /// - Throws: `Invalid` with what is wrong.
    package init(reading bytes: [UInt8]) throws(Invalid) {
        guard let value = JSONParser.value(of: bytes) else { throw Invalid(description: "expected JSON") }
        guard case .integer(let format)? = value["format"], case .array(let cases)? = value["cases"],
            let upstream = value["upstream"]?.plainText, cases.count <= Self.mostCases
        else { throw Invalid(description: "expected a report of mock-apns drift") }
        guard format == Self.format else { throw Invalid(description: "the format \(format): expected \(Self.format)") }
        guard ["sandbox", "production", "other"].contains(upstream) else {
            throw Invalid(description: "an unknown upstream: expected sandbox, production or other")
        }
        self.init(upstream: upstream)
        let known = Dictionary(
            (DriftCatalogue.all + [DriftCatalogue.otherEnvironment]).map { ($0.id, $0) },
            uniquingKeysWith: { one, _ in one })
        for value in cases {
            guard let id = value["id"]?.plainText else { throw Invalid(description: "a case without an id") }
            // A case of another version decides nothing here.
            guard let item = known[id] else { continue }
            guard let mock = DriftAnswer(reading: value["mock"]), let service = DriftAnswer(reading: value["service"])
            else { throw Invalid(description: "the case \(id) without two answers") }
            let options = item.choices.filter { $0.explains(service, insteadOf: mock) }.map(\.option)
            outcomes.append(
                Outcome(
                    id: id, decides: item.decides, row: DriftRow.of(item)?.text, mock: mock, service: service,
                    options: options))
        }
        stopped = value["stopped"]?.plainText.map(DriftAnswer.plain)
    }
}

extension DriftAnswer {
    /// Reads an answer of a report; `nil` if it is none.
    fileprivate init?(reading value: JSONValue?) {
        guard let value, case .integer(let status)? = value["status"], case .array(let headers)? = value["headers"],
            let body = value["body"]?.plainText, (0...999).contains(status), headers.count <= 100
        else { return nil }
        self.init(
            status: Int(status), reason: value["reason"]?.plainText.map(Self.plain),
            headers: headers.compactMap { $0.plainText.map(Self.plain) }, body: Self.plain(body),
            connection: value["connection"]?.plainText.map(Self.plain))
    }
}
