internal import MockAPNsRules

/// A notification's card.
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
    private let subtitle: (text: DrawnText, line: String)?
    private let body: (text: DrawnText, lines: [String])
    /// The line below the body, such as the number of notifications stacked under the card.
    private let footnote: String?

    /// The maximum number of body lines before the notification is expanded.
    static let mostLines = 4

    /// - Parameters:
    ///   - preview: the notification.
    ///   - width: the card's width.
    ///   - age: the notification's age, abbreviated.
    ///   - mostLines: the maximum number of body lines.
    ///   - footnote: the line below the body.
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
        subtitle = preview.subtitle.flatMap { given in
            let text = DrawnText(given.text)
            let line = text.line(Self.heading, width: textWidth)
            return line.isEmpty ? nil : (text, line)
        }
        let text = DrawnText(preview.body?.text ?? "")
        body = (text, text.lines(Self.plain, width: textWidth, most: mostLines))
    }

    /// The label above the title.
    private var label: String? { preview.outcome.label ?? preview.level.row.label }

    var height: Double {
        var height = 2 * Self.padding - 2 + Self.heading.lineHeight
        if label != nil { height += 16 }
        if subtitle != nil { height += Self.heading.lineHeight }
        height += Double(body.lines.count) * Self.plain.lineHeight
        if footnote != nil { height += 19 }
        return max(height, Self.iconSize + 2 * Self.padding)
    }

    /// Draws the card with its top-left corner at the given point.
    func draw(x: Double, y: Double, on canvas: inout PreviewCanvas) {
        let box = PreviewCanvas.Box(x: x, y: y, width: width, height: height)
        Self.ground(box, on: &canvas)
        canvas.clipped(to: box, radius: 24) { drawWords(in: box, on: &$0) }
    }

    /// Draws a card's background.
    static func ground(
        _ box: PreviewCanvas.Box,
        radius: Double = 24,
        on canvas: inout PreviewCanvas
    ) {
        let palette = canvas.palette
        canvas.rect(
            PreviewCanvas.Box(x: box.x, y: box.y + 2, width: box.width, height: box.height),
            radius: radius,
            fill: "#000000",
            opacity: 0.1
        )
        canvas.rect(box, radius: radius, fill: palette.card, opacity: palette.cardOpacity)
        canvas.outline(box, radius: radius, stroke: palette.edge, width: 0.75, opacity: palette.edgeOpacity)
    }

    private func drawWords(in box: PreviewCanvas.Box, on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        PreviewIcon(preview.app, size: Self.iconSize)
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
        canvas.line(
            age,
            x: box.maxX - Self.padding,
            y: top + 14,
            Self.small,
            fill: palette.quietText,
            side: .end
        )
        top = canvas.lines(
            [title.line(Self.heading, width: textWidth - ageWidth)],
            of: title,
            x: x,
            top: top,
            width: textWidth - ageWidth,
            Self.heading,
            fill: palette.text
        )
        if let subtitle {
            top = canvas.lines(
                [subtitle.line],
                of: subtitle.text,
                x: x,
                top: top,
                width: textWidth,
                Self.heading,
                fill: palette.text
            )
        }
        top = canvas.lines(
            body.lines,
            of: body.text,
            x: x,
            top: top,
            width: textWidth,
            Self.plain,
            fill: palette.text
        )
        if let footnote { canvas.line(footnote, x: x, y: top + 15, Self.small, fill: palette.quietText) }
    }
}
