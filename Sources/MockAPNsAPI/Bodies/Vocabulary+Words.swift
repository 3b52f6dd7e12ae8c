internal import MockAPNs
package import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

extension Vocabulary {
    /// The schemas of all vocabularies, by name.
    package static var schemas: [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: allCases.map { ($0.title, Schema.words($0.words).json) })
    }

    package var words: [String] {
        switch self {
        case .activityEvent: Self.words(ActivityStep.Kind.self)
        case .activityReason: Self.words(ActivityStep.Reason.self)
        case .activityRefusal: ActivityRefusal.allCases.map(\.code)
        case .activityState: Self.words(ActivityState.self)
        case .appState: Self.words(AppState.self)
        case .authentication: Self.words(RuleOptions.Authentication.self)
        case .badgeEffect: Self.words(PreviewBadge.Effect.self)
        case .bodyFault: Self.words(FaultAction.Body.self)
        case .clientCertificates: Self.words(ClientCertificates.Mode.self)
        case .connectionFault: Self.words(FaultAction.Break.self)
        case .delayDistribution: Self.words(FaultAction.Delay.Distribution.self)
        case .deliveryState: PushQuery.deliveryNames
        case .drawUse: Self.words(FaultDraw.Use.self)
        case .faultPreset: FaultPreset.all.map(\.name)
        case .goAwayClose: Self.words(FaultAction.GoAway.Close.self)
        case .goAwayLastStream: Self.words(FaultAction.GoAway.LastStream.self)
        case .goAwayThen: Self.words(FaultAction.GoAway.Aftermath.self)
        case .http2Code: HTTP2Code.allCases.map(\.name)
        case .interruptionLevel: Self.words(InterruptionLevel.self)
        case .lint: Self.words(Lint.self)
        case .outcome: Self.words(PushQuery.Outcome.self)
        case .presentation: Self.words(Reaction.Presentation.self)
        case .previewKind: Self.words(PreviewKind.self)
        case .previewTextSource: Self.words(PreviewText.Source.self)
        case .previewView: Self.words(PreviewView.self)
        case .problemType: Problem.Kind.allCases.map(\.type)
        case .registrationState: Self.words(RegistrationState.self)
        case .severity: Self.words(Lint.Severity.self)
        case .soundKind: Self.words(PreviewSound.Kind.self)
        }
    }

    private static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> [String] {
        type.allCases.map(\.rawValue)
    }
}
