internal import MockAPNsWorld

/// An expanded notification's action buttons, as rows below its card.
///
/// As on iOS, titles are on the leading side, and destructive ones are red. To fit the available space with any
/// uploaded category, titles are truncated and rows shrink.
struct ActionStack {
    /// The space between the card and the buttons.
    static let gap = 8.0
    private static let usualHeight = 44.0
    private static let leastHeight = 30.0
    private static let padding = 16.0
    private static let font = DrawnText.Font(size: 16)
    private static let hint = (width: 24.0, height: 14.0)

    private let actions: [NotificationAction]
    private let rowHeight: Double

    /// Returns `nil` if the notification has no known buttons or they do not fit in `room`, the available height.
    init?(
        _ preview: NotificationPreview,
        most: Int = CategoryLimit.actions,
        room: Double = .infinity
    ) {
        let actions = Array((preview.actions ?? []).prefix(most))
        guard preview.kind == .alert, !actions.isEmpty else { return nil }
        let fitting = room / Double(actions.count)
        guard fitting >= Self.leastHeight else { return nil }
        self.actions = actions
        rowHeight = min(Self.usualHeight, fitting.rounded(.down))
    }

    var height: Double { Double(actions.count) * rowHeight }

    func draw(x: Double, y: Double, width: Double, on canvas: inout PreviewCanvas) {
        let box = Box(x: x, y: y, width: width, height: height)
        let radius = min(20, rowHeight / 2)
        PreviewCard.ground(box, radius: radius, on: &canvas)
        canvas.clipped(to: box, radius: radius) { canvas in
            for (position, action) in actions.enumerated() {
                let top = y + Double(position) * rowHeight
                let row = Box(x: x, y: top, width: width, height: rowHeight)
                if position > 0 {
                    let line = Box(x: x, y: row.y, width: width, height: 0.75)
                    canvas.rect(line, fill: canvas.palette.quietText, opacity: 0.3)
                }
                Self.draw(action, in: row, on: &canvas)
            }
        }
    }

    private static func draw(_ action: NotificationAction, in row: Box, on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        let title = DrawnText(action.title)
        let color = action.isDestructive ? palette.destructive : palette.text
        let taken = action.takesText ? hint.width + padding : 0
        canvas.line(
            title.line(font, width: row.width - 2 * padding - taken),
            x: title.isRightToLeft ? row.maxX - padding : row.x + padding,
            y: row.midY + font.size * 0.35,
            font,
            fill: color,
            isRightToLeft: title.isRightToLeft
        )
        guard action.takesText else { return }
        let x = title.isRightToLeft ? row.x + padding : row.maxX - padding - hint.width
        drawHint(x: x, midY: row.midY, color: palette.quietText, on: &canvas)
    }

    /// Draws a small text field, which marks a button that asks for text input.
    static func drawHint(x: Double, midY: Double, color: String, on canvas: inout PreviewCanvas) {
        let box = Box(x: x, y: midY - hint.height / 2, width: hint.width, height: hint.height)
        canvas.outline(box, radius: 4, stroke: color, width: 1.3)
        canvas.path("M\((x + 6).svg) \((midY - 3.5).svg)v7", stroke: color, width: 1.3)
    }
}

extension ActionStack? {
    /// The height of the buttons and of the gap above them, or 0 without buttons.
    var space: Double { map { $0.height + ActionStack.gap } ?? 0 }
}
