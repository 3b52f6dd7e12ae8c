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
    private static let font = DrawnText.Font.plain(16)
    private static let hint = (width: 24.0, height: 14.0)

    private let actions: [NotificationAction]
    private let rowHeight: Double

    /// Returns `nil` if the notification has no known buttons or they do not fit in `room`, the available height.
    init?(_ preview: NotificationPreview, most: Int, room: Double) {
        let actions = Array((preview.actions ?? []).prefix(most))
        guard preview.kind == .alert, !actions.isEmpty else { return nil }
        let fitting = room / Double(actions.count)
        guard fitting >= Self.leastHeight else { return nil }
        self.actions = actions
        rowHeight = min(Self.usualHeight, fitting.rounded(.down))
    }

    var height: Double { Double(actions.count) * rowHeight }

    func draw(top: Double, on canvas: inout PreviewCanvas) {
        let box = PhoneFrame.card(top: top, height: height)
        canvas.card(box, radius: min(20, rowHeight / 2)) { canvas in
            var row = PhoneFrame.card(top: top, height: rowHeight)
            for action in actions {
                if row.y > top {
                    let line = PhoneFrame.card(top: row.y, height: 0.75)
                    canvas.rect(line, fill: canvas.palette.quietText, opacity: 0.3)
                }
                Self.draw(action, in: row, on: &canvas)
                row.y += rowHeight
            }
        }
    }

    private static func draw(_ action: NotificationAction, in row: Box, on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        let title = DrawnText(action.title)
        let isRightToLeft = title.isRightToLeft
        let (left, right) = (row.x + padding, row.maxX - padding)
        let taken = action.takesText ? hint.width + padding : 0
        let text = title.line(font, width: right - left - taken)
        let x = isRightToLeft ? right : left
        let y = row.midY + font.size * 0.35
        let color = action.isDestructive ? palette.destructive : palette.text
        canvas.line(text, x: x, y: y, font, fill: color, isRightToLeft: isRightToLeft)
        guard action.takesText else { return }
        let end = isRightToLeft ? left : right - hint.width
        drawHint(x: end, midY: row.midY, color: palette.quietText, on: &canvas)
    }

    /// Draws a small text field, which marks a button that asks for text input.
    static func drawHint(x: Double, midY: Double, color: String, on canvas: inout PreviewCanvas) {
        let box = Box(x: x, y: midY - hint.height / 2, width: hint.width, height: hint.height)
        canvas.outline(box, radius: 4, stroke: color, width: 1.3)
        canvas.path("M\((x + 6).svg) \((midY - 3.5).svg)v7", stroke: color, width: 1.3)
    }
}
