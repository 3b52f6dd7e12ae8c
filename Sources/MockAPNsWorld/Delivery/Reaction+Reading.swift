internal import MockAPNsFormats
package import MockAPNsRules

extension Reaction {
    /// Returns the reaction to a push as a device reads it.
    package static func of(_ reading: PayloadReading, appState: AppState, allowsNotifications: Bool) -> Reaction {
        of(reading.type, traits: Traits(reading), appState: appState, allowsNotifications: allowsNotifications)
    }
}

extension Reaction.Traits {
    /// Reads the traits of a payload.
    package init(_ reading: PayloadReading) {
        let activity = reading.activity
        let found: [(Reaction.Traits, Bool)] = [
            (.alert, reading.alert.hasText), (.badge, reading.badge.number != nil), (.sound, reading.sound.isHeard),
            (.contentAvailable, reading.isContentAvailable), (.mutableContent, reading.isContentMutable),
            (.unreadable, reading.payload?.isObject != true), (.ignored, reading.isIgnored),
            (.start, activity?.event == .start), (.end, activity?.event == .end),
            (.dismissal, activity?.isDismissedAtOnce == true), (.wallet, reading.special == .wallet),
            (.website, reading.special == .website), (.serviceUpdate, reading.isServiceUpdate),
        ]
        self = found.reduce(into: []) { if $1.1 { $0.insert($1.0) } }
    }
}
