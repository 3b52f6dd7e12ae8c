/// A Live Activity's content state as a list, because the views are defined in the app.
struct ActivityCard {
    private static let padding = 15.0
    private static let most = 9
    private static let heading = DrawnText.Font(size: 15, isBold: true)
    private static let plain = DrawnText.Font(size: 14)
    private static let small = DrawnText.Font(size: 12)
    private static let row = 22.0

    private let preview: NotificationPreview
    private let width: Double
    private let words: [(text: DrawnText, line: String, font: DrawnText.Font)]
    private let entries: [LiveActivityPreview.Entry]
    private let further: Int

    init(_ preview: NotificationPreview, width: Double) {
        self.preview = preview
        self.width = width
        words = [(preview.title, Self.heading), (preview.body, Self.plain)].compactMap { given, font in
            guard let given else { return nil }
            let text = DrawnText(given.text)
            let line = text.line(font, width: width - 2 * Self.padding)
            return line.isEmpty ? nil : (text, line, font)
        }
        let all = preview.activity?.entries ?? []
        entries = Array(all.prefix(Self.most))
        further = all.count - entries.count
    }

    var height: Double {
        let rows = max(1, entries.count) + (further > 0 ? 1 : 0)
        return 2 * Self.padding + 34 + words.reduce(0) { $0 + $1.font.lineHeight } + Double(rows) * Self.row
            + 6
    }

    /// Draws the card with its top-left corner at the given point.
    func draw(x: Double, y: Double, on canvas: inout PreviewCanvas) {
        let box = PreviewCanvas.Box(x: x, y: y, width: width, height: height)
        PreviewCard.ground(box, on: &canvas)
        canvas.clipped(to: box, radius: 24) { drawContent(in: box, on: &$0) }
    }

    private func drawContent(in box: PreviewCanvas.Box, on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        let (left, right) = (box.x + Self.padding, box.maxX - Self.padding)
        PreviewIcon(preview.app, size: 26).draw(x: left, y: box.y + Self.padding, on: &canvas)
        let event = DrawnText(preview.activity?.event ?? "no event").line(Self.small, width: 110)
        let pill = TextMeasure.width(of: event, Self.small) + 18
        canvas.rect(
            PreviewCanvas.Box(x: right - pill, y: box.y + Self.padding + 2, width: pill, height: 22),
            radius: 11,
            fill: preview.app.colors.bottom
        )
        canvas.line(
            event,
            x: right - pill / 2,
            y: box.y + Self.padding + 17,
            Self.small,
            fill: "#ffffff",
            side: .middle,
            weight: 600
        )
        let name = DrawnText(preview.app.name)
        canvas.line(
            name.line(Self.heading, width: right - left - pill - 46),
            x: left + 36,
            y: box.y + Self.padding + 18,
            Self.heading,
            fill: palette.text
        )
        var top = box.y + Self.padding + 34
        for words in words {
            top = canvas.lines(
                [words.line],
                of: words.text,
                x: left,
                top: top,
                width: right - left,
                words.font,
                fill: palette.text
            )
        }
        top += 6
        canvas.rect(
            PreviewCanvas.Box(x: left, y: top - 2, width: right - left, height: 0.75),
            fill: palette.quietText,
            opacity: 0.4
        )
        if entries.isEmpty {
            canvas.line(
                "content-state has nothing",
                x: left,
                y: top + 16,
                Self.plain,
                fill: palette.quietText
            )
        }
        for entry in entries {
            draw(entry, left: left, right: right, y: top + 16, on: &canvas)
            top += Self.row
        }
        if further > 0 {
            canvas.line("and \(further) more", x: left, y: top + 15, Self.small, fill: palette.quietText)
        }
    }

    private func draw(
        _ entry: LiveActivityPreview.Entry,
        left: Double,
        right: Double,
        y: Double,
        on canvas: inout PreviewCanvas
    ) {
        let half = (right - left) / 2 - 6
        let name = DrawnText(entry.name).line(Self.plain, width: half)
        let nameWidth = TextMeasure.width(of: name, Self.plain)
        let value = DrawnText(entry.value)
        canvas.line(name, x: left, y: y, Self.plain, fill: canvas.palette.quietText)
        canvas.line(
            value.line(Self.heading, width: right - left - nameWidth - 12),
            x: right,
            y: y,
            Self.plain,
            fill: canvas.palette.text,
            side: value.isRightToLeft ? .start : .end,
            weight: 600,
            isRightToLeft: value.isRightToLeft
        )
    }
}
