internal import MockAPNsRules

struct PreviewCard {
    private static let padding = 13.0
    private static let iconSize = 38.0
    private static let labelFont = DrawnText.Font(size: 10.5, isBold: true)
    private static let heading = DrawnText.Font(size: 15, isBold: true)
    private static let plain = DrawnText.Font(size: 15)
    private static let small = DrawnText.Font(size: 13)

    private let preview: NotificationPreview
    private let width: Double
    private let age: String
    private let title: DrawnText
    private let subtitle: TextBlock?
    private let body: TextBlock
    /// The line below the body, such as the number of notifications stacked under the card.
    private let footnote: String?

    static let mostLines = 4

    init(
        _ preview: NotificationPreview,
        width: Double,
        age: String = "now",
        mostLines: Int = PreviewCard.mostLines,
        footnote: String? = nil
    ) {
        self.preview = preview
        self.width = width
        self.age = age
        self.footnote = footnote
        let textWidth = width - 3 * Self.padding - Self.iconSize
        // Without a title, iOS shows the app's name.
        let heading = preview.title.map(\.text).flatMap { $0.isEmpty ? nil : $0 } ?? preview.app.name
        title = DrawnText(heading)
        subtitle = preview.subtitle.map { DrawnText($0.text).block(Self.heading, width: textWidth) }
            .flatMap { $0.lines == [""] ? nil : $0 }
        body = DrawnText(preview.body?.text ?? "").block(Self.plain, width: textWidth, most: mostLines)
    }

    private var label: String? { preview.outcome.label ?? preview.level.row.label }

    var height: Double {
        var height = 2 * Self.padding - 2 + Self.heading.lineHeight
        if label != nil { height += 16 }
        height += (subtitle?.height ?? 0) + body.height
        if footnote != nil { height += 19 }
        return max(height, Self.iconSize + 2 * Self.padding)
    }

    func draw(x: Double, y: Double, on canvas: inout PreviewCanvas) {
        let box = Box(x: x, y: y, width: width, height: height)
        Self.ground(box, on: &canvas)
        canvas.clipped(to: box, radius: 24) { drawWords(in: box, on: &$0) }
    }

    static func ground(_ box: Box, radius: Double = 24, on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        var shadow = box
        shadow.y += 2
        canvas.rect(shadow, radius: radius, fill: "#000000", opacity: 0.1)
        canvas.rect(box, radius: radius, fill: palette.card, opacity: palette.cardOpacity)
        canvas.outline(box, radius: radius, stroke: "#ffffff", width: 0.75, opacity: palette.edgeOpacity)
    }

    private func drawWords(in box: Box, on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        PreviewIcon(app: preview.app, size: Self.iconSize)
            .draw(x: box.x + Self.padding, y: box.midY - Self.iconSize / 2, on: &canvas)
        let x = box.x + 2 * Self.padding + Self.iconSize
        let textWidth = box.maxX - Self.padding - x
        var top = box.y + Self.padding - 1
        if let label {
            let color = preview.outcome.label == nil ? palette.label : palette.warning
            canvas.line(label, x: x, y: top + 10, Self.labelFont, fill: color)
            top += 16
        }
        let ageWidth = TextMeasure.width(of: age, Self.small) + 8
        let right = box.maxX - Self.padding
        canvas.line(age, x: right, y: top + 14, Self.small, fill: palette.quietText, side: .end)
        let title = title.block(Self.heading, width: textWidth - ageWidth)
        for block in [title, subtitle, body].compactMap({ $0 }) {
            top = canvas.block(block, x: x, top: top, fill: palette.text)
        }
        if let footnote { canvas.line(footnote, x: x, y: top + 15, Self.small, fill: palette.quietText) }
    }
}
