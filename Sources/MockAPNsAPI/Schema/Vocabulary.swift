/// Words that the server's own types define, and that shapes only refer to.
///
/// The OpenAPI document lists the words of each. To add a list: add a case, and the list where the compiler asks for it.
package enum Vocabulary: String, CaseIterable, Sendable {
    case activityReason, activityState, appState, authentication, badgeEffect, bodyFault, clientCertificates,
        connectionFault, delayDistribution, deliveryState, drawUse, goAwayClose, goAwayLastStream, goAwayThen,
        interruptionLevel, outcome, presentation, previewKind, previewTextSource, previewView, problemType,
        registrationState, severity, soundKind
    // Shapes have the short names.
    case activityEvent = "activityEventName"
    case activityRefusal = "activityRefusalCode"
    case faultPreset = "faultPresetName"
    case http2Code = "HTTP2ErrorCode"
    case lint = "lintID"

    /// The name in the OpenAPI document.
    package var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension Schema {
    /// One of the words of a vocabulary.
    package static func word(_ vocabulary: Vocabulary) -> Schema { .named(vocabulary.title) }
}
