package import MockAPNsWorld

/// The device for which a localized text is shown.
package struct PreviewSetting: Sendable {
    /// The languages that the user prefers, the first most.
    package var languages: [LanguageTag]
    package var family: DeviceFamily
    /// The language of the texts, whose plural rules apply.
    private(set) var used: LanguageTag?

    package init(languages: [LanguageTag] = [], family: DeviceFamily = .iphone) {
        (self.languages, self.family) = (languages, family)
    }

    var language: String { used?.language ?? "en" }

    var region: String? { used?.region }

    /// The setting with texts in this language; `Base` and its development language have the same rules.
    func using(_ table: PreviewText.Table?) -> PreviewSetting {
        var setting = self
        setting.used = table.flatMap { $0.language.language == "base" ? LanguageTag("en") : $0.language }
        return setting
    }
}

extension DeviceFamily {
    /// The families whose form is used, the best first: an iPod is shown the form of an iPhone without its own (inferred).
    var substitutes: [DeviceFamily] {
        switch self {
        case .ipod: [.ipod, .iphone, .other]
        default: [self, .other]
        }
    }
}
