internal import MockAPNsWorld

/// The long look on Apple Watch: the notification's text with its buttons below.
///
/// A watch scrolls, but the picture does not: text that does not fit is truncated, and further buttons are counted.
struct WatchLongLook {
    /// The maximum number of buttons that leaves enough space for the text.
    private static let mostButtons = 4
    private static let gap = 4.0
    private static let padding = 16.0
    private static let buttonFont = DrawnText.Font(size: 15)
    private static let heading = DrawnText.Font(size: 16, isBold: true)
    private static let plain = DrawnText.Font(size: 14)
    private static let small = DrawnText.Font(size: 13, isBold: true)
    /// Not from the palette, because the screen is black in both appearances.
    private static let destructive = "#ff6961"

    private let preview: NotificationPreview
    private let actions: ArraySlice<NotificationAction>
    private let further: Int

    /// Creates the long look, or returns `nil` for a notification without buttons, which uses the short look.
    init?(_ preview: NotificationPreview) {
        guard let actions = preview.actions, !actions.isEmpty else { return nil }
        self.preview = preview
        // The line that counts further buttons takes the space of one button.
        let isAll = actions.count <= Self.mostButtons
        self.actions = actions.prefix(isAll ? Self.mostButtons : Self.mostButtons - 1)
        further = actions.count - self.actions.count
    }

    func draw(in screen: Box, on canvas: inout PreviewCanvas) {
        let app = preview.app
        PreviewIcon(app: app, size: 28).draw(x: screen.x + 24, y: screen.y + 14, isRound: true, on: &canvas)
        let name = DrawnText(app.name).line(Self.small, width: 84)
        canvas.line(name, x: screen.x + 58, y: screen.y + 33, Self.small, fill: app.colors.top)
        let rowHeight = actions.count + (further > 0 ? 1 : 0) < Self.mostButtons ? 34.0 : 30.0
        let bottom = screen.maxY - Self.padding - (further > 0 ? 22 : 0)
        let lowest = bottom - Double(actions.count) * (rowHeight + Self.gap) + Self.gap
        let top = min(drawWords(in: screen, to: lowest - 4, on: &canvas) + 8, lowest)
        for (position, action) in actions.enumerated() {
            let y = top + Double(position) * (rowHeight + Self.gap)
            let box = Box(x: screen.x + 10, y: y, width: screen.width - 20, height: rowHeight)
            Self.draw(action, in: box, on: &canvas)
        }
        guard further > 0 else { return }
        let y = top + Double(actions.count) * (rowHeight + Self.gap) + 13
        let font = DrawnText.Font(size: 12)
        canvas.line("and \(further) more", x: screen.midX, y: y, font, fill: "#c7c7cc", side: .middle)
    }

    /// Returns the text's bottom edge.
    private func drawWords(in screen: Box, to bottom: Double, on canvas: inout PreviewCanvas) -> Double {
        let x = screen.x + Self.padding
        let width = screen.width - 2 * Self.padding
        var top = screen.y + 50
        for (words, font, most) in [
            (preview.title, Self.heading, 2), (preview.subtitle, Self.heading, 1),
            (preview.body, Self.plain, .max),
        ] {
            guard let words else { continue }
            let room = Int((bottom - top) / font.lineHeight)
            let block = DrawnText(words.text).block(font, width: width, most: min(most, room))
            top = canvas.block(block, x: x, top: top, fill: font.isBold ? "#ffffff" : "#d1d1d6")
        }
        return top
    }

    private static func draw(_ action: NotificationAction, in box: Box, on canvas: inout PreviewCanvas) {
        canvas.rect(box, radius: 12, fill: "#ffffff", opacity: 0.17)
        let title = DrawnText(action.title)
        let color = action.isDestructive ? destructive : "#ffffff"
        // Reserves the hint's width on both sides, so that the title stays centered.
        let taken = action.takesText ? 84.0 : 20.0
        canvas.line(
            title.line(buttonFont, width: box.width - taken),
            x: box.midX,
            y: box.midY + buttonFont.size * 0.35,
            buttonFont,
            fill: color,
            side: .middle,
            isRightToLeft: title.isRightToLeft
        )
        if action.takesText {
            ActionStack.drawHint(x: box.maxX - 34, midY: box.midY, color: "#c7c7cc", on: &canvas)
        }
    }
}
