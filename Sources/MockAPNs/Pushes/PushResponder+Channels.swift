internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld

/// Answers requests to broadcast and to manage channels.
///
/// Documented: https://developer.apple.com/documentation/usernotifications/ followed by
/// sending-broadcast-push-notification-requests-to-apns and sending-channel-management-requests-to-apns.
extension PushResponder {
    /// The result of a request besides its ID.
    private struct Outcome {
        var status: UInt16 = 200
        var created: ChannelID?
        var body: [UInt8] = []
    }

    /// Carries out a judged request, and records and answers it.
    ///
    /// A fault that replaces the response prevents this. A broadcast is sent when its record is published.
    func answerChannels(
        _ request: borrowing RequestView, _ judged: Verdict, _ faulted: FaultedResponse?, turnsAway: WireFault?,
        _ facts: RecordHead, by ruleset: Ruleset
    ) -> Response {
        var verdict = judged
        var outcome = Outcome(status: faulted?.status ?? (turnsAway == nil ? judged.status : 0))
        let isPrevented = faulted.map { $0.mark.effect.contains(.decides) && !$0.mark.effect.contains(.loses) }
        if judged.reason == nil, isPrevented != true, let asked = situation.channelRequest {
            if let done = carryOut(asked) {
                outcome = done
            } else {
                // Another event loop has created the last channel that there was room for.
                verdict = ruleset.pipeline.rejection(.cannotCreateChannelConfig, by: .channels)
                outcome.status = verdict.status
            }
        }
        let reason = isPrevented == true ? faulted?.reason : verdict.reason
        let deadSince = reason?.carriesTimestamp == true ? situation.deadSince ?? facts.clockTime : nil

        // Documented: the client's ID is returned. Inferred: unless it is invalid.
        var id: UniqueID?
        let echo = request.requestID(for: situation.service).flatMap {
            UniqueID.isCanonical($0, lowerCaseOnly: false) ? $0 : nil
        }
        if echo == nil || reason == .badMessageID { id = worker.nextID() }
        let hasContentType = reason != nil && ruleset.options.sendsErrorContentType
        var facts = facts
        facts.service = situation.service
        facts.status = outcome.status
        facts.verdict = Verdict(reason: reason, decidedBy: verdict.decidedBy)
        facts.verification = situation.verification
        facts.deadSince = deadSince
        facts.id = id
        facts.uniqueID = outcome.created?.bits
        facts.hasContentType = hasContentType
        worker.batch.append(
            request, facts, credential: situation.credential, certificate: certificate, fault: faulted?.mark,
            answer: outcome.body)
        return Response(
            status: outcome.status,
            headers: (
                Response.Header("apns-request-id", id.map { .uniqueID($0, upperCase: true) } ?? .requestBytes(echo!)),
                outcome.created.map { Response.Header("apns-channel-id", .channelID($0)) },
                hasContentType ? Response.Header("content-type", .text("application/json")) : nil
            ), body: reason.map { ResponseBody.bytes(for: $0, deadSince: deadSince) } ?? outcome.body,
            liftsStreamLimit: situation.isAuthenticated,
            endsConnection: hasTooManyErrors(after: reason, limit: ruleset.options.errorLimit),
            fault: turnsAway ?? faulted?.wire)
    }

    /// Carries out a request; `nil` if there is no room for the channel to create.
    private func carryOut(_ asked: ChannelRequest) -> Outcome? {
        let channels = worker.world.channels
        switch (asked.operation, asked.storage) {
        case (.create, let storage?):
            return channels.add(asked.app, storage).map { Outcome(status: 201, created: $0.id) }
        case (.read, let storage?):
            let body = #"{"message-storage-policy":\#(storage.rawValue),"push-type":"LiveActivity"}"#
            return Outcome(body: Array(body.utf8))
        case (.delete, _):
            if let channel = asked.channel { _ = channels.remove(channel) }
            return Outcome(status: 204)
        case (.list, _):
            let ids = channels.ids(of: asked.app).map { #""\#($0.text)""# }
            return Outcome(body: Array(#"{"channels":[\#(ids.joined(separator: ","))]}"#.utf8))
        case (.broadcast, _), (.create, nil), (.read, nil): return Outcome()
        }
    }
}

extension Worker: ChannelDirectory {
    func allowsBroadcasts(to bundleID: String) -> Bool { world.channels.allowsBroadcasts(to: bundleID) }

    func storage(of channel: ChannelID, in app: ChannelApp) -> ChannelStorage? {
        world.channels.storage(of: channel, in: app)
    }

    func admits(_ channel: ChannelID, rate: RuleOptions.Rate, at now: Timestamp) -> Bool {
        world.admits(channel, rate: rate, at: now)
    }

    func hasRoom(in app: ChannelApp) -> Bool { world.channels.hasRoom(in: app) }
}
