/// A notification as a card, with its buttons below if it is expanded.
struct PreviewCard {
    private static let padding = 13.0
    private static let iconSize = 38.0
    private static let heading = DrawnText.Font.bold(15)
    private static let small = DrawnText.Font.plain(13)

    private let preview: NotificationPreview
    private let age: String
    private let title: DrawnText
    private let subtitle: TextBlock
    private let body: TextBlock
    /// The line below the body, such as the number of notifications stacked under the card.
    private let footnote: String?
    private(set) var buttons: ActionStack?

    /// Creates a card with at most `mostButtons` buttons, which are left out if they do not fit in `room`, the
    /// available height.
    init(
        _ preview: NotificationPreview, age: String = "now", mostLines: Int = 4, footnote: String? = nil,
        mostButtons: Int = 0, room: Double = .infinity
    ) {
        self.preview = preview
        self.age = age
        self.footnote = footnote
        let textWidth = PhoneFrame.cardWidth - 3 * Self.padding - Self.iconSize
        // Without a title, iOS shows the app's name.
        let heading = preview.title.map(\.text).flatMap { $0.isEmpty ? nil : $0 } ?? preview.app.name
        title = DrawnText(heading)
        subtitle = DrawnText(preview.subtitle).block(Self.heading, width: textWidth)
        body = DrawnText(preview.body).block(.plain(15), width: textWidth, most: mostLines)
        buttons = ActionStack(preview, most: mostButtons, room: room - textHeight - ActionStack.gap)
    }

    private var label: String? { preview.outcome.label ?? preview.level.row.label }

    /// The height without the buttons.
    private var textHeight: Double {
        let height =
            2 * Self.padding - 2 + Self.heading.lineHeight + (label == nil ? 0 : 16) + subtitle.height + body.height
            + (footnote == nil ? 0 : 19)
        return max(height, Self.iconSize + 2 * Self.padding)
    }

    /// The height of the buttons and of the gap above them, or 0 without buttons.
    var buttonSpace: Double { buttons.map { $0.height + ActionStack.gap } ?? 0 }

    var height: Double { textHeight + buttonSpace }

    func draw(top: Double, on canvas: inout PreviewCanvas) {
        let box = PhoneFrame.card(top: top, height: textHeight)
        canvas.card(box) { drawWords(in: box, on: &$0) }
        buttons?.draw(top: box.maxY + ActionStack.gap, on: &canvas)
    }

    private func drawWords(in box: Box, on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        PreviewIcon(app: preview.app, size: Self.iconSize).draw(
            x: box.x + Self.padding, y: box.midY - Self.iconSize / 2, on: &canvas)
        let x = box.x + 2 * Self.padding + Self.iconSize
        let right = box.maxX - Self.padding
        var top = box.y + Self.padding - 1
        if let label {
            let color = preview.outcome.label == nil ? palette.label : palette.warning
            canvas.line(label, x: x, y: top + 10, .bold(10.5), fill: color)
            top += 16
        }
        canvas.line(age, x: right, y: top + 14, Self.small, fill: palette.quietText, side: .end)
        let ageWidth = TextMeasure.width(of: age, Self.small) + 8
        let title = title.block(Self.heading, width: right - x - ageWidth)
        canvas.block(title, x: x, top: top, fill: palette.text)
        top += Self.heading.lineHeight
        for block in [subtitle, body] { top = canvas.block(block, x: x, top: top, fill: palette.text) }
        if let footnote { canvas.line(footnote, x: x, y: top + 15, Self.small, fill: palette.quietText) }
    }
}
