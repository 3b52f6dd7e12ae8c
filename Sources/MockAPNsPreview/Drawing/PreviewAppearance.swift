/// The light or dark appearance, with its colors.
package enum PreviewAppearance: String, CaseIterable {
    case light
    case dark

    private func color(_ light: String, dark: String) -> String { self == .light ? light : dark }

    /// The picture's background, followed by the text and labels on it.
    var page: String { color("#f2f2f7", dark: "#0d0d11") }
    var caption: String { color("#1c1c1e", dark: "#f2f2f7") }
    var quietCaption: String { color("#63636a", dark: "#a1a1aa") }
    var chip: String { color("#e2e2ea", dark: "#26262b") }
    var warning: String { color("#b3261e", dark: "#ff8a80") }

    /// The wallpaper's gradient from top to bottom, followed by the glows on it.
    var wallpaper: [String] { self == .light ? ["#7db6f5", "#a99bf0", "#f2a7c3"] : ["#0b1533", "#2b1a4d", "#4a1d3f"] }
    var glows: [String] { self == .light ? ["#ffe6b0", "#8ff0e0", "#ffffff"] : ["#2d5bd0", "#7a3fc0", "#c0487f"] }

    /// The notification's card, followed by its border and text.
    var card: String { color("#f7f7fb", dark: "#2a2a30") }
    var cardOpacity: Double { self == .light ? 0.82 : 0.84 }
    var edgeOpacity: Double { self == .light ? 0.5 : 0.12 }
    var text: String { color("#0b0b0d", dark: "#ffffff") }
    var quietText: String { color("#55555e", dark: "#b6b6c0") }
    var label: String { color("#5e5ce6", dark: "#b4b2ff") }
    var destructive: String { color("#c80012", dark: "#ff7d75") }
}
