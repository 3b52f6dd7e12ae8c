internal import MockAPNsAPI
internal import MockAPNsFormats

extension APNsMock {
    /// Waits until a push matches, and returns the first one.
    ///
    /// If no push matches in time, fails the test at the caller's line, and shows the closest pushes and why they do
    /// not match.
    @discardableResult public func expect(
        _ matchers: Matcher..., within limit: Duration = .seconds(1), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws -> Push {
        let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let found = try await verify(
            "verify", ["match": matchers.match, "within": limit.json, "count": ["atLeast": 1]], limit: 1, place)
        guard let push = found.first else { throw Failure("the server has deleted the push that matched") }
        return push
    }

    /// Waits until exactly this number of pushes match, and returns them in the order of arrival.
    ///
    /// Returns as soon as there are enough. To catch later pushes as well, call `waitForIdle` before.
    @discardableResult public func expect(
        exactly count: Int, _ matchers: Matcher..., within limit: Duration = .seconds(1),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws -> [Push] {
        let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let wanted: JSONValue = ["exactly": .integer(Int64(count))]
        return try await verify(
            "verify", ["match": matchers.match, "within": limit.json, "count": wanted], limit: count, place)
    }

    /// Checks that no push matches; with a duration, also that none arrives within it.
    ///
    /// If a push matches, fails the test at the caller's line and shows the pushes that match.
    public func expectNone(
        _ matchers: Matcher..., for duration: Duration = .zero, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws {
        let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        try await verify(
            "verify", ["match": matchers.match, "within": duration.json, "count": ["never": true]], limit: 0, place)
    }

    /// Waits until pushes match the steps in order, and returns them.
    ///
    /// Other pushes may come in between unless the sequence is `strict`. If steps are missing, fails the test at the
    /// caller's line and shows the steps that were found.
    @discardableResult public func expectSequence(
        _ steps: [Matcher]..., strict: Bool = false, within limit: Duration = .seconds(1),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws -> [Push] {
        let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let matches = JSONValue.array(try steps.map { try $0.match })
        return try await verify(
            "verify-sequence", ["steps": matches, "within": limit.json, "strict": .bool(strict)], limit: steps.count,
            place)
    }

    /// Waits until no push has arrived for a while.
    ///
    /// If pushes keep arriving until `limit`, fails the test at the caller's line.
    public func waitForIdle(
        _ quiet: Duration = .milliseconds(100), within limit: Duration = .seconds(10), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            let newest = try await api.get("seq", as: SequenceShape.self) { $0.seq }
            let body: JSONValue = [
                "match": try [Matcher.anyVerdict].match, "count": ["never": true], "within": quiet.json,
                "after": JSONValue(newest),
            ]
            do {
                try await api.call("POST", "pushes/verify", body)
                return
            } catch let failure as Failure where failure.report != nil {
                // A push has arrived, so wait again.
            }
        }
        let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        throw place.fail("Expected no push for \(quiet), but pushes came for \(limit)")
    }

    /// Returns the pushes that match, oldest first.
    public func pushes(_ matchers: Matcher...) async throws -> [Push] {
        let body: JSONValue = ["match": try matchers.match, "count": ["atLeast": 0], "after": JSONValue(start)]
        let found = try await api.call("POST", "pushes/verify", body, as: VerifiedShape.self) { $0.matched }
        return try await pushes(withIDs: found)
    }

    /// Verifies pushes, and returns the first `limit` matching ones.
    @discardableResult private func verify(
        _ route: String, _ body: [String: JSONValue], limit: Int, _ place: CallSite
    ) async throws -> [Push] {
        var body = body
        body["after"] = JSONValue(start)
        do {
            let matched = try await api.call("POST", "pushes/\(route)", .object(body), as: VerifiedShape.self) {
                $0.matched
            }
            return try await pushes(withIDs: matched.prefix(limit))
        } catch let failure as Failure { throw await place.fail((failure.report ?? failure.description) + link) }
    }

    /// The line of a report that leads to the page, if that still exists when a person reads it.
    var link: String {
        get async {
            guard let inspector = await api.transport.inspector else { return "" }
            let line = "\npage: \(api.page(at: inspector))"
            guard let keeper else { return line }
            return keeper.keep() ? line + " (for an hour, while the server runs)" : ""
        }
    }

    private func pushes(withIDs ids: some Collection<String>) async throws -> [Push] {
        var pushes: [Push] = []
        for id in ids { pushes.append(try await api.get("pushes/\(id)", as: PushShape.self) { Push($0) }) }
        return pushes
    }
}

extension Duration {
    /// The duration as the debug API writes it, in whole milliseconds.
    var json: JSONValue { .string(DurationText.text(Int64(self / .milliseconds(1)) * 1_000)) }
}
