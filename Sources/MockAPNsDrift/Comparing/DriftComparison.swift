internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsRules
package import MockAPNsUpstream

/// Sends the cases to a service and to a server in this process, one after the other.
package struct DriftComparison: Sendable {
    /// The connections that may end unexpectedly before the comparison stops.
    private static let closesAllowed = 2

    package let provider: DriftProvider
    package let address: UpstreamAddress
    package var options: UpstreamOptions
    /// The time between two requests.
    package var pace = Duration.milliseconds(200)
    package var cases = DriftCatalogue.all
    /// Cases with these names were compared before, and are skipped.
    package var done: Set<String> = []

    package init(_ provider: DriftProvider, with address: UpstreamAddress, _ options: UpstreamOptions) {
        (self.provider, self.address, self.options) = (provider, address, options)
    }

    /// Compares all cases; `onOutcome` is called with each.
    ///
    /// Stops when the service answers 429, and when it ends a connection for the third time.
    ///
    /// - Throws: `UpstreamError` if the service cannot be reached at first; `MockAPNsError` if the mock cannot start.
    package func run(
        named name: String, _ onOutcome: @Sendable (DriftReport.Outcome) -> Void = { _ in }
    ) async throws -> DriftReport {
        var configuration = Configuration()
        configuration.listeners = [ListenAddress(host: "127.0.0.1", port: 0, isSecure: false)]
        configuration.rules.unknownTokens = .reject
        configuration.rules.answersOnDemand = false
        let key = ProviderKey(keyID: provider.keyID, teamID: provider.teamID)
        configuration.keys = [Configuration.Key(key: key, pem: provider.key.verifyingKey.publicKeyPEM)]
        return try await withMockAPNs(configuration) { mock in
            let own = UpstreamAddress(host: "127.0.0.1", port: mock.listeners[0].address.port, isSecure: false)
            return try await compare(named: name, with: own, onOutcome)
        }
    }

    private func compare(
        named name: String, with own: UpstreamAddress, _ onOutcome: @Sendable (DriftReport.Outcome) -> Void
    ) async throws -> DriftReport {
        var report = DriftReport(upstream: name)
        let shared = try provider.key.providerToken(
            keyID: provider.keyID, teamID: provider.teamID, issuedAt: provider.now)
        var ownOptions = UpstreamOptions()
        ownOptions.startsWithOneStream = options.startsWithOneStream
        var service = try await UpstreamConnection.open(address, options)
        var mock = try await UpstreamConnection.open(own, ownOptions)
        report.settings = await Self.differences(service.facts, mock.facts)
        var closes = 0
        var isOnSecond = false
        for item in cases where !done.contains(item.id) {
            if item.hasOwnToken, !isOnSecond || item.needsConnection {
                // A valid token of its own would count as an update of the shared one.
                isOnSecond = true
                await service.close()
                await mock.close()
                service = try await UpstreamConnection.open(address, options)
                mock = try await UpstreamConnection.open(own, ownOptions)
            }
            try await Task.sleep(for: pace)
            let request = try item.draft(provider).request(provider, shared: shared)
            let theirs = DriftAnswer(await Self.send(request, on: service), to: request)
            let ours = DriftAnswer(await Self.send(request, on: mock), to: request)
            let options = item.choices.filter { $0.reason == theirs.reason && theirs.reason != ours.reason }.map(
                \.option)
            let outcome = DriftReport.Outcome(
                id: item.id, decides: item.decides, mock: ours, service: theirs, options: options)
            report.outcomes.append(outcome)
            onOutcome(outcome)
            if theirs.status == 429 {
                report.stopped = "the service answered 429 \(theirs.reason ?? "") to \(item.id)"
                break
            }
            if await !service.room.isOpen {
                closes += 1
                guard closes <= Self.closesAllowed else {
                    report.stopped = "the service ended \(closes) connections, the last one after \(item.id)"
                    break
                }
                service = try await UpstreamConnection.open(address, self.options)
            }
            if await !mock.room.isOpen { mock = try await UpstreamConnection.open(own, ownOptions) }
        }
        await service.close()
        await mock.close()
        return report
    }

    private static func send(
        _ request: UpstreamRequest, on connection: UpstreamConnection
    ) async -> Result<UpstreamAnswer, UpstreamError> {
        do throws(UpstreamError) { return .success(try await connection.send(request)) } catch {
            return .failure(error)
        }
    }

    private static func differences(_ service: UpstreamFacts, _ mock: UpstreamFacts) -> [String] {
        func text(_ facts: UpstreamFacts) -> String {
            facts.settings.sorted { $0.id < $1.id }.map { "\($0.id)=\($0.value)" }.joined(separator: ", ")
        }
        let (theirs, ours) = (text(service), text(mock))
        return theirs == ours ? [] : ["SETTINGS of the service: \(theirs); of the mock: \(ours)"]
    }
}
