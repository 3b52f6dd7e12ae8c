internal import MockAPNsFormats
package import MockAPNsUpstream

/// What is compared of an answer, without anything that identifies a provider, a push or a device.
package struct DriftAnswer: Equatable, Sendable {
    /// The status; 0 if there was no response.
    package let status: Int
    /// The reason of the body; what the error was, if there was no response.
    package let reason: String?
    /// The names of the headers in order, with the form of the value after `=` where it is compared.
    package let headers: [String]
    /// The names of the body's members in order of the alphabet, or `none` or `not JSON`.
    package let body: String
    /// How the connection ended, such as `closed` or `goaway BadCertificate`; `nil` if it is open after the answer.
    package var connection: String?

    /// Describes what a request got.
    ///
    /// The values of headers are replaced by their forms, such as `apns-id=upper` for a UUID in upper case.
    package init(
        _ result: Result<UpstreamAnswer, UpstreamError>, to request: UpstreamRequest, connection: String? = nil
    ) {
        self.connection = connection
        switch result {
        case .failure(let error): (status, reason, headers, body) = (0, error.code.rawValue, [], "none")
        case .success(let answer):
            status = answer.status
            let value = JSONParser.value(of: answer.body)
            if case .string(let text)? = value?["reason"] { reason = Self.plain(text) } else { reason = nil }
            let sent = request.headers.first { $0.name == "apns-id" }?.value
            let fields = answer.headers.prefix(50).map { header in
                switch header.name {
                case "apns-id", "apns-unique-id", "apns-request-id":
                    "\(header.name)=\(header.value == sent ? "echo" : Self.form(header.value))"
                case "content-type": "content-type=\(Self.plain(header.value))"
                default: Self.plain(header.name)
                }
            }
            headers =
                answer.interim.prefix(10).map { "interim \($0)" } + fields
                + answer.trailers.prefix(10).map { "trailer \(Self.plain($0.name))" }
            if answer.body.isEmpty {
                body = "none"
            } else if case .object(let members)? = value {
                body = members.keys.sorted().map(Self.plain).joined(separator: ",")
            } else {
                body = "not JSON"
            }
        }
    }

    package init(status: Int, reason: String?, headers: [String], body: String, connection: String? = nil) {
        (self.status, self.reason, self.headers, self.body) = (status, reason, headers, body)
        self.connection = connection
    }

    /// What is compared of a connection.
    init(facts: [String]) { self.init(status: 200, reason: nil, headers: facts, body: "none") }

    /// What a connection that could not be opened is compared by.
    init(_ error: UpstreamError) {
        self.init(status: 0, reason: error.code.rawValue, headers: [], body: "none", connection: "not opened")
    }

    /// Describes how a connection ended.
    static func end(_ facts: UpstreamFacts) -> String {
        let goAways = facts.goAways.map { goAway in
            var reason = ""
            if case .string(let text)? = JSONParser.value(of: Array(goAway.debug.utf8))?["reason"] {
                reason = " \(plain(text))"
            }
            let code = goAway.code == "NO_ERROR" ? "" : " \(plain(goAway.code))"
            return "goaway\(code)\(reason)"
        }
        return goAways.isEmpty ? "closed" : goAways.joined(separator: ", ")
    }

    /// Cuts a text of the service down to what a report may have: 64 letters, digits and a few signs.
    static func plain(_ text: String) -> String {
        String(
            text.prefix(64).map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_/;:,=+. ".contains($0)) ? $0 : "?" })
    }

    /// Returns the answer without these texts, which a service may have repeated.
    func hiding(_ secrets: [String]) -> DriftAnswer {
        func hidden(_ text: String) -> String {
            secrets.contains { !$0.isEmpty && text.contains($0) } ? "<hidden>" : text
        }
        return DriftAnswer(
            status: status, reason: reason.map(hidden), headers: headers.map(hidden), body: hidden(body),
            connection: connection.map(hidden))
    }

    private static func form(_ value: String) -> String {
        guard value.utf8.count == 36 else { return "other" }
        if value == value.uppercased() { return "upper" }
        return value == value.lowercased() ? "lower" : "mixed"
    }

    /// What differs from another answer: `status`, `reason`, `headers`, `body`, `connection`.
    package func differences(from other: DriftAnswer) -> [String] {
        var names: [String] = []
        if status != other.status { names.append("status") }
        if reason != other.reason { names.append("reason") }
        if headers != other.headers { names.append("headers") }
        if body != other.body { names.append("body") }
        if connection != other.connection { names.append("connection") }
        return names
    }

    /// The answer in one line.
    package var text: String {
        let start = [status == 0 ? "no response" : "\(status)", reason].compactMap(\.self).joined(separator: " ")
        let fields = headers.isEmpty ? nil : "[\(headers.joined(separator: ", "))]"
        return [start, fields, connection.map { "connection: \($0)" }].compactMap(\.self).joined(separator: " ")
    }
}
