/// An answer of the API.
struct APIResponse: Sendable {
    static let json = "application/json"
    static let lines = "application/x-ndjson"
    static let problem = "application/problem+json"

    var status = 200
    var contentType = APIResponse.json
    /// Headers besides those that every answer has.
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]

    /// One JSON value.
    static func json(_ value: JSONValue, status: Int = 200) -> APIResponse {
        APIResponse(status: status, body: value.text + "\n".utf8)
    }

    /// One JSON value per line.
    static func lines(_ values: [JSONValue], headers: [(name: String, value: String)]) -> APIResponse {
        APIResponse(contentType: lines, headers: headers, body: values.flatMap { $0.text + "\n".utf8 })
    }

    /// A problem document.
    static func problem(_ problem: Problem) -> APIResponse {
        var response = json(problem.json, status: problem.kind.row.status)
        response.contentType = Self.problem
        if !problem.allowedMethods.isEmpty {
            response.headers.append(("Allow", problem.allowedMethods.joined(separator: ", ")))
        }
        return response
    }
}
