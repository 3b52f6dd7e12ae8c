/// Words that the server's own types define, and that shapes only refer to.
///
/// The OpenAPI document lists the words of each. To add a list: add a case, and the list where the compiler asks for it.
package enum Vocabulary: String, CaseIterable, Sendable {
    case appState = "AppState"
    case authentication = "Authentication"
    case badgeEffect = "BadgeEffect"
    case bodyFault = "BodyFault"
    case connectionFault = "ConnectionFault"
    case delayDistribution = "DelayDistribution"
    case deliveryState = "DeliveryState"
    case drawUse = "DrawUse"
    case faultPreset = "FaultPresetName"
    case goAwayClose = "GoAwayClose"
    case goAwayLastStream = "GoAwayLastStream"
    case goAwayThen = "GoAwayThen"
    case http2Code = "HTTP2ErrorCode"
    case interruptionLevel = "InterruptionLevel"
    case lint = "LintID"
    case outcome = "Outcome"
    case presentation = "Presentation"
    case previewKind = "PreviewKind"
    case previewTextSource = "PreviewTextSource"
    case previewView = "PreviewView"
    case problemType = "ProblemType"
    case registrationState = "RegistrationState"
    case severity = "Severity"
    case soundKind = "SoundKind"
}

extension Schema {
    /// One of the words of a vocabulary.
    package static func word(_ vocabulary: Vocabulary) -> Schema { .named(vocabulary.rawValue) }
}
