internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsRules
package import MockAPNsUpstream
internal import MockAPNsWorld

/// Sends the cases to a service and to a server in this process, one after the other.
package struct DriftComparison: Sendable {
    /// How a comparison ended.
    package struct Result: Sendable {
        package var report: DriftReport
        /// Why the service could not be reached; it may name its address, unlike the report.
        package var problem: UpstreamError?
        /// The channels of the service that could not be deleted.
        package var channelsLeft: [String] = []
    }

    /// The responses that may be missing, or connections that may end unexpectedly, before the comparison stops.
    static let lossesAllowed = 2

    package let provider: DriftProvider
    package let target: DriftTarget
    /// The client certificate with its key, in PEM.
    package var certificatePEM: String?
    /// Whether a channel may be made.
    package var makesChannel = false
    /// The time between two requests.
    package var pace = Duration.milliseconds(200)
    /// What was compared before; its cases are skipped.
    package var earlier: DriftReport?
    /// Waits between two requests; another one is for tests.
    package var wait: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Called when everything has ended; for tests.
    var onEnd: @Sendable () -> Void = {}

    package init(_ provider: DriftProvider, with target: DriftTarget) {
        (self.provider, self.target) = (provider, target)
    }

    /// The cases that are sent, in order.
    package var cases: [DriftCase] {
        var needs: Set<DriftCase.Need> = []
        if provider.ownDeviceToken != nil { needs.insert(.device) }
        if target.address.isSecure { needs.insert(.encryption) }
        if target.address.isSecure, certificatePEM != nil { needs.insert(.certificate) }
        if makesChannel { needs.insert(.channels) }
        if let environment = provider.keyEnvironment, environment != target.environment {
            needs.insert(.otherEnvironment)
        }
        var done = Set(earlier?.outcomes.map(\.id) ?? [])
        if !done.isSuperset(of: DriftCatalogue.channelLife) { done.subtract(DriftCatalogue.channelLife) }
        return DriftCatalogue.cases(with: needs).filter { !done.contains($0.id) }
    }

    /// The requests of a case as text, without secrets.
    package func requests(of item: DriftCase) -> [String] {
        (item.preludeDrafts(provider) + [item.draft(provider)]).map(\.text)
    }

    /// The requests to the service.
    package var requestCount: Int { cases.reduce(0) { $0 + ($1.probe == nil ? 1 + $1.prelude.count : 0) } }

    /// Compares all cases; `onOutcome` is called with each.
    ///
    /// Stops when the service answers 429 to a case that is not about it, at the third response that does not come or
    /// connection that ends, and when the task is cancelled. A channel that was made is deleted in any case.
    ///
    /// - Throws: `MockAPNsError` or an error of cryptography if the mock cannot start.
    package func run(_ onOutcome: @Sendable (DriftReport.Outcome) -> Void = { _ in }) async throws -> Result {
        let stranger = try Self.stranger(at: provider.now)
        return try await withMockAPNs(configuration()) { mock in
            let port = mock.listeners[target.address.isSecure ? 1 : 0].address.port
            let isSecure = target.address.isSecure
            var own = DriftTarget(
                UpstreamAddress(host: isSecure ? "localhost" : "127.0.0.1", port: port, isSecure: isSecure))
            own.authoritiesPEM = mock.certificateAuthorityPEM
            own.options.startsWithOneStream = target.options.startsWithOneStream
            let sides = Sides(
                service: DriftSide(target, certificate: certificatePEM, stranger: stranger),
                mock: DriftSide(own, certificate: certificatePEM, stranger: stranger))
            var result = Result(report: earlier ?? DriftReport(upstream: target.name))
            result.report.outcomes.removeAll { outcome in cases.contains { $0.id == outcome.id } }
            result.report.stopped = nil
            await compare(on: sides, into: &result, onOutcome)
            // The task may be cancelled, which must not leave a channel.
            result.channelsLeft = await Task { await end(sides) }.value
            onEnd()
            return result
        }
    }

    private struct Sides {
        let service: DriftSide
        let mock: DriftSide
    }

    private func compare(
        on sides: Sides, into result: inout Result, _ onOutcome: @Sendable (DriftReport.Outcome) -> Void
    ) async {
        do {
            let shared = try provider.key.providerToken(
                keyID: provider.keyID, teamID: provider.teamID, issuedAt: provider.now)
            var losses = 0
            var isDeviceKnown = true
            for item in cases where isDeviceKnown || item.need != .device {
                let outcome = try await outcome(of: item, on: sides, shared: shared)
                result.report.outcomes.append(outcome)
                onOutcome(outcome)
                // A device token that is not the app's, or of the other environment, would say nothing.
                if item.id == DriftCatalogue.firstToDevice { isDeviceKnown = outcome.service.status == 200 }
                result.report.stopped = stop(after: outcome, of: item, &losses)
                if result.report.stopped != nil { return }
            }
        } catch let error as UpstreamError where error.code != .cancelled {
            (result.problem, result.report.stopped) = (error, "no connection to the service: \(error.code.rawValue)")
        } catch let stop as Stop { result.report.stopped = stop.reason } catch {
            result.report.stopped = Task.isCancelled ? "interrupted" : "a request could not be made"
        }
    }

    /// Why a comparison ends before its last case.
    private struct Stop: Error { let reason: String }

    private func stop(after outcome: DriftReport.Outcome, of item: DriftCase, _ losses: inout Int) -> String? {
        let (service, mock) = (outcome.service, outcome.mock)
        if service.status == 429, mock.status != 429, !item.expectsTooMany {
            return "the service answered 429 \(service.reason ?? "") to \(item.id)"
        }
        let isLost = service.status == 0 && mock.status != 0 || service.connection != nil && mock.connection == nil
        if isLost { losses += 1 }
        guard losses > Self.lossesAllowed else { return nil }
        return "the service did not respond or ended the connection \(losses) times, the last time at \(item.id)"
    }

    private func outcome(of item: DriftCase, on sides: Sides, shared: String) async throws -> DriftReport.Outcome {
        let isFirst = item.place.isForOne
        try await wait(pace)
        try await sides.service.move(to: item.place, isNew: isFirst)
        try await sides.mock.move(to: item.place, isNew: isFirst)
        for draft in item.preludeDrafts(provider) {
            let request = try draft.request(provider, shared: shared)
            let theirs = try await sides.service.answer(to: request)
            if theirs.status == 429, !item.expectsTooMany {
                throw Stop(reason: "the service answered 429 \(theirs.reason ?? "") before \(item.id)")
            }
            _ = try await sides.mock.answer(to: request)
            try await wait(pace)
        }
        var service: DriftAnswer
        let mock: DriftAnswer
        if let probe = item.probe {
            (service, mock) = (try await sides.service.answer(to: probe), try await sides.mock.answer(to: probe))
        } else {
            let request = try item.draft(provider).request(provider, shared: shared)
            (service, mock) = (try await sides.service.answer(to: request), try await sides.mock.answer(to: request))
        }
        service = service.hiding(provider.secrets)
        let options = item.choices.filter { $0.explains(service, insteadOf: mock) }.map(\.option)
        return DriftReport.Outcome(
            id: item.id, decides: item.decides, row: DriftRow.of(item)?.text, mock: mock, service: service,
            options: options)
    }

    /// Deletes the channels that are left, and closes the connections; returns the service's for which that fails.
    private func end(_ sides: Sides) async -> [String] {
        let left: [String]
        do {
            let shared = try provider.key.providerToken(
                keyID: provider.keyID, teamID: provider.teamID, issuedAt: provider.now)
            var draft = DriftDraft(provider)
            draft.method = "DELETE"
            draft.path = "/1/apps/\(provider.topic)/channels"
            draft.headers = [UpstreamHeader("apns-channel-id", DriftDraft.channelMark)]
            draft.body = []
            if await !sides.service.channels.isEmpty { try? await wait(pace) }
            left = await sides.service.deleteChannels(try draft.request(provider, shared: shared))
        } catch { left = await sides.service.channels }
        await sides.service.close()
        await sides.mock.close()
        return left
    }

    // MARK: The mock

    private func configuration() throws -> Configuration {
        var configuration = Configuration()
        configuration.listeners = [false, true].map { isSecure in
            ListenAddress(host: "127.0.0.1", port: 0, isSecure: isSecure, environment: target.environment)
        }
        configuration.rules.unknownTokens = .reject
        configuration.rules.answersOnDemand = false
        configuration.clientCertificates.mode = .any
        let key = ProviderKey(
            keyID: provider.keyID, teamID: provider.teamID, topics: provider.keyTopics,
            environment: provider.keyEnvironment)
        configuration.keys = [Configuration.Key(key: key, pem: provider.key.verifyingKey.publicKeyPEM)]
        if let text = provider.ownDeviceToken, let token = DeviceToken(hex: text) {
            let app = DeviceDraft.Registration(token: token, topic: provider.topic, environment: target.environment)
            configuration.devices = [DeviceDraft(label: "device", registrations: [app])]
        }
        return configuration
    }

    /// A client certificate that no service knows, with its key.
    private static func stranger(at now: Int64) throws -> String {
        let authority = try ClientCertificateAuthority(now: now)
        return authority.certificatePEM + "\n" + (try authority.keyPEM())
    }
}
