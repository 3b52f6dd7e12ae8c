internal import MockAPNsUpstream

/// One of the two services while they are compared: its connection, and the channel that was made there.
actor DriftSide {
    private let target: DriftTarget
    private let certificate: String?
    private let stranger: String?
    private var connection: UpstreamConnection?
    private var place: DriftCase.Place?
    /// The requests on this connection.
    private var sent = 0
    /// Why the connection of this place could not be opened.
    private var refusal: UpstreamError?
    /// The channels that were made and not deleted; a service may accept what the mock refuses.
    private(set) var channels: [String] = []
    /// The channel that was made last, which requests are about.
    private var channel: String?

    init(_ target: DriftTarget, certificate: String?, stranger: String?) {
        (self.target, self.certificate, self.stranger) = (target, certificate, stranger)
    }

    /// Opens the connection of a place, unless it is open.
    ///
    /// - Throws: `UpstreamError` if it cannot be opened, and this is not what is compared.
    func move(to place: DriftCase.Place, isNew: Bool) async throws(UpstreamError) {
        if self.place == place, !isNew { return }
        await close()
        self.place = place
        do throws(UpstreamError) { try await open() } catch {
            guard place == .stranger || place == .oldHTTP else { throw error }
            refusal = error
        }
    }

    private func open() async throws(UpstreamError) {
        guard let place else { return }
        var options = target.options
        options.tls = try target.tls(for: place, certificate, stranger: stranger)
        connection = try await UpstreamConnection.open(place == .channels ? target.channels : target.address, options)
        sent = 0
    }

    func close() async {
        await connection?.close()
        (connection, place, refusal) = (nil, nil, nil)
    }

    /// Returns the answer to a request.
    ///
    /// A connection that ended before is opened again; one that ends before it has processed the request too, once.
    ///
    /// - Throws: `UpstreamError` if no connection can be opened; `.cancelled` if the task is.
    func answer(to request: UpstreamRequest) async throws(UpstreamError) -> DriftAnswer {
        if let refusal { return DriftAnswer(refusal) }
        var end: String?
        if let connection, await !connection.room.isOpen {
            end = "before: \(DriftAnswer.end(await connection.facts))"
            try await open()
        }
        if connection == nil { try await open() }
        let request = withChannel(request)
        var result = await send(request)
        if case .failure(let error) = result, error.isUnprocessed, error.code == .closed || error.code == .goAway,
            sent > 0
        {
            if let connection { end = DriftAnswer.end(await connection.facts) }
            try await open()
            result = await send(request)
        }
        sent += 1
        if case .failure(let error) = result, error.code == .cancelled { throw error }
        if let connection, await !connection.room.isOpen {
            end = DriftAnswer.end(await connection.facts)
            await connection.close()
            self.connection = nil
        }
        return DriftAnswer(result, to: request, connection: end)
    }

    private func send(_ request: UpstreamRequest) async -> Result<UpstreamAnswer, UpstreamError> {
        guard let connection else { return .failure(UpstreamError(.closed, "no connection")) }
        do throws(UpstreamError) {
            let answer = try await connection.send(request)
            note(answer, to: request)
            return .success(answer)
        } catch { return .failure(error) }
    }

    /// Returns what a probe sees.
    func answer(to probe: DriftCase.Probe) async throws(UpstreamError) -> DriftAnswer {
        guard let connection else { return DriftAnswer(facts: []) }
        let facts = await connection.facts
        switch probe {
        case .settings, .laterSettings: return DriftAnswer(facts: facts.settings.map { "\($0.id)=\($0.value)" })
        case .encryption: return DriftAnswer(facts: [facts.tlsVersion].compactMap(\.self))
        case .ping:
            do throws(UpstreamError) { _ = try await connection.ping() } catch {
                if error.code == .cancelled { throw error }
                return DriftAnswer(.failure(error), to: UpstreamRequest("/"))
            }
            return DriftAnswer(facts: ["PING"])
        }
    }

    // MARK: The channel

    private func withChannel(_ request: UpstreamRequest) -> UpstreamRequest {
        var request = request
        request.headers = request.headers.map { header in
            let value = channel ?? "AAAAAAAAAAAAAAAAAAAAAA=="
            return header.value == DriftDraft.channelMark ? UpstreamHeader(header.name, value) : header
        }
        return request
    }

    private func note(_ answer: UpstreamAnswer, to request: UpstreamRequest) {
        if answer.status == 201, let id = answer.header("apns-channel-id") {
            channel = id
            channels.append(id)
        }
        guard request.method == "DELETE", (200..<300).contains(answer.status) else { return }
        channels.removeAll { id in request.headers.contains { $0.value == id } }
    }

    /// Deletes the channels that are left; returns the IDs of those for which that fails.
    func deleteChannels(_ request: UpstreamRequest) async -> [String] {
        do throws(UpstreamError) {
            for left in channels {
                try await move(to: .channels, isNew: false)
                channel = left
                _ = try await answer(to: request)
            }
        } catch { return channels }
        return channels
    }
}
