internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats

extension APIRequest {
    /// The same request with a JSON object of the members that have a value.
    func sending(_ members: [String: (any ShapeValue)?]) -> Self { sending(JSONValue.members(members).text) }
}

extension JSONValue {
    static func members(_ members: [String: (any ShapeValue)?]) -> JSONValue {
        .object(members.compactMapValues { $0?.json })
    }

    /// An object of the members that have a value; `nil` when none has one.
    static func given(_ members: [String: (any ShapeValue)?]) -> JSONValue? {
        let object = JSONValue.members(members)
        return object == [:] ? nil : object
    }
}

extension APIResponse {
    /// Reads what `use` asks for, whatever else the response has or lacks.
    func decoded<Content: Shape, Result>(
        as type: Content.Type, _ use: (APIObject<Content>) throws -> Result
    ) throws -> Result {
        guard let json = JSONParser.value(of: body) else { throw unreadable("it is not JSON") }
        do { return try APIObject<Content>.read(json, use) } catch let complaint as Complaint {
            let place = complaint.path.isEmpty ? "" : "'\(TerminalText.place(complaint.path))' "
            throw unreadable(place + complaint.message)
        }
    }

    private func unreadable(_ reason: String) -> CommandFailure {
        CommandFailure(
            .internalError,
            "cannot read the response of the server, which may have another version"
                + " (this is \(Version.text)): \(reason); --json prints it unchanged")
    }

    /// Prints the body as received, with a line feed at its end.
    func print() { Console.write(body + (body.last == 0x0a ? [] : [0x0a])) }

    /// Whether the response has the media type that the request asks for; one of JSON may be empty.
    func answers(_ request: APIRequest) -> Bool {
        switch request.accept {
        case "*/*": true
        case APIRequest.json: contentType == APIRequest.json || contentType.hasSuffix("+json") || body.isEmpty
        case let type: contentType == type
        }
    }

    /// Why the API rejected a request: the detail of a problem document (RFC 9457), then a line for each complaint that
    /// it does not contain; `nil` when the response is not one.
    ///
    /// Read member by member, so that a problem of any version can be shown.
    var problem: String? {
        guard contentType == "application/problem+json", let document = JSONParser.value(of: body),
            let title = document["title"]?.plainText
        else { return nil }
        let said = (document["detail"]?.plainText ?? title).lowercased()
        let complaints = document["errors"].entries.compactMap { complaint -> String? in
            let message = complaint["message"]?.plainText
            guard let message, !said.contains(message.lowercased()) else { return nil }
            let suggestion = complaint["suggestion"]?.plainText.map { "; did you mean '\($0)'?" } ?? ""
            let path = complaint["path"]?.plainText.map { $0.isEmpty ? "" : "\(TerminalText.place($0)): " } ?? ""
            return "  \(path)\(message)\(suggestion)"
        }
        let pointers = document["errors"].entries.compactMap { $0["path"]?.plainText }
        let detail = pointers.sorted { $0.count > $1.count }.reduce(document["detail"]?.plainText ?? title) {
            text, pointer in text.replacing("'\(pointer)'", with: "'\(TerminalText.place(pointer))'")
        }
        // A mistake in a search is shown with a caret on the next line.
        let lines = TerminalText.clause(detail).split(separator: "\n").map(String.init) + complaints
        return lines.map(TerminalText.plain).joined(separator: "\n")
    }
}
