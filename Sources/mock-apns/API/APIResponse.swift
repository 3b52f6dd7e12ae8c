internal import FoundationEssentials

/// A response of the debug API.
struct APIResponse {
    let status: Int
    /// The media type, without parameters.
    let contentType: String
    let body: [UInt8]

    var isJSON: Bool { contentType == "application/json" || contentType.hasSuffix("+json") }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Reads the JSON document.
    ///
    /// - Throws: `CommandFailure` for one that this version cannot read.
    func decoded<Answer: Decodable>(as type: Answer.Type) throws -> Answer {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw CommandFailure(
                .internalError,
                "cannot read the server's response: \(Self.describe(error)); the server may have another version"
                    + " (this is \(Version.text)). --json prints the response as it is"
            )
        }
    }

    private static func describe(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let (problem, context) =
            switch error {
            case .keyNotFound(let key, let context): ("'\(key.stringValue)' is missing", context)
            case .valueNotFound(_, let context): ("a value is missing", context)
            case .typeMismatch(let type, let context): ("expected \(type)", context)
            case .dataCorrupted(let context): ("not JSON", context)
            @unknown default: ("\(error)", DecodingError.Context(codingPath: [], debugDescription: ""))
            }
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return path.isEmpty ? problem : "\(problem) at /\(path.joined(separator: "/"))"
    }
}
