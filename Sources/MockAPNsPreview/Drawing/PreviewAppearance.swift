/// The light or dark appearance, with its colors.
///
/// To add an appearance, add a case and its row.
package enum PreviewAppearance: String, CaseIterable {
    case light
    case dark

    struct Palette {
        /// The picture's background, followed by the text and labels on it.
        let page: String
        let caption: String
        let quietCaption: String
        let chip: String
        let warning: String
        /// The wallpaper's gradient from top to bottom, followed by the glows on it.
        let wallpaper: [String]
        let glows: [String]
        /// The notification's card, followed by its border and text.
        let card: String
        let cardOpacity: Double
        let edge: String
        let edgeOpacity: Double
        let text: String
        let quietText: String
        let label: String
        let destructive: String
    }

    var row: Palette {
        switch self {
        case .light:
            Palette(
                page: "#f2f2f7",
                caption: "#1c1c1e",
                quietCaption: "#63636a",
                chip: "#e2e2ea",
                warning: "#b3261e",
                wallpaper: ["#7db6f5", "#a99bf0", "#f2a7c3"],
                glows: ["#ffe6b0", "#8ff0e0", "#ffffff"],
                card: "#f7f7fb",
                cardOpacity: 0.82,
                edge: "#ffffff",
                edgeOpacity: 0.5,
                text: "#0b0b0d",
                quietText: "#55555e",
                label: "#5e5ce6",
                destructive: "#c80012"
            )
        case .dark:
            Palette(
                page: "#0d0d11",
                caption: "#f2f2f7",
                quietCaption: "#a1a1aa",
                chip: "#26262b",
                warning: "#ff8a80",
                wallpaper: ["#0b1533", "#2b1a4d", "#4a1d3f"],
                glows: ["#2d5bd0", "#7a3fc0", "#c0487f"],
                card: "#2a2a30",
                cardOpacity: 0.84,
                edge: "#ffffff",
                edgeOpacity: 0.12,
                text: "#ffffff",
                quietText: "#b6b6c0",
                label: "#b4b2ff",
                destructive: "#ff7d75"
            )
        }
    }
}
