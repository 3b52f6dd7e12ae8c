internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld

/// Answers requests to broadcast and to manage channels.
///
/// Documented: https://developer.apple.com/documentation/usernotifications/ followed by
/// sending-broadcast-push-notification-requests-to-apns and sending-channel-management-requests-to-apns.
extension PushResponder {
    /// Carries out an accepted request; a broadcast is sent when its record is published.
    func carryOut(_ outcome: inout Outcome, _ verdict: inout Verdict, by ruleset: Ruleset) {
        guard let asked = situation.channelRequest else { return }
        if let done = carryOut(asked) {
            outcome = done
        } else {
            // Another event loop has created the last channel that there was room for.
            verdict = ruleset.pipeline.rejection(.cannotCreateChannelConfig, by: .channels)
            outcome = Outcome(status: verdict.status, reason: verdict.reason)
        }
    }

    /// Carries out a request; `nil` if there is no room for the channel to create.
    private func carryOut(_ asked: ChannelRequest) -> Outcome? {
        let channels = worker.world.channels
        switch (asked.operation, asked.storage) {
        case (.create, let storage?):
            return channels.add(asked.app, storage).map { Outcome(status: 201, created: $0.id) }
        case (.read, let storage?):
            let body = #"{"message-storage-policy":\#(storage.rawValue),"push-type":"LiveActivity"}"#
            return Outcome(status: 200, body: Array(body.utf8))
        case (.delete, _):
            if let channel = asked.channel { _ = channels.remove(channel) }
            return Outcome(status: 204)
        case (.list, _):
            let ids = channels.ids(of: asked.app).map { #""\#($0.text)""# }
            return Outcome(status: 200, body: Array(#"{"channels":[\#(ids.joined(separator: ","))]}"#.utf8))
        case (.broadcast, _), (.create, nil), (.read, nil): return Outcome(status: 200)
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
