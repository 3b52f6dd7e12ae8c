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
    private let words: [TextBlock]
    private let entries: [LiveActivityPreview.Entry]
    private let further: Int

    init(_ preview: NotificationPreview, width: Double) {
        self.preview = preview
        self.width = width
        words = [(preview.title, Self.heading), (preview.body, Self.plain)].compactMap { given, font in
            let block = given.map { DrawnText($0.text).block(font, width: width - 2 * Self.padding) }
            return block?.lines == [""] ? nil : block
        }
        let all = preview.activity?.entries ?? []
        entries = Array(all.prefix(Self.most))
        further = all.count - entries.count
    }

    var height: Double {
        let rows = max(1, entries.count) + (further > 0 ? 1 : 0)
        return 2 * Self.padding + 40 + words.reduce(0) { $0 + $1.height } + Double(rows) * Self.row
    }

    func draw(x: Double, y: Double, on canvas: inout PreviewCanvas) {
        let box = Box(x: x, y: y, width: width, height: height)
        PreviewCard.ground(box, on: &canvas)
        canvas.clipped(to: box, radius: 24) { drawContent(in: box, on: &$0) }
    }

    private func drawContent(in box: Box, on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        let (left, right) = (box.x + Self.padding, box.maxX - Self.padding)
        var top = box.y + Self.padding
        PreviewIcon(app: preview.app, size: 26).draw(x: left, y: top, on: &canvas)
        let event = DrawnText(preview.activity?.event ?? "no event").line(Self.small, width: 110)
        let pill = TextMeasure.width(of: event, Self.small) + 18
        let eventBox = Box(x: right - pill, y: top + 2, width: pill, height: 22)
        canvas.rect(eventBox, radius: 11, fill: preview.app.colors.bottom)
        let eventFont = DrawnText.Font(size: Self.small.size, isBold: true)
        canvas.line(event, x: eventBox.midX, y: top + 17, eventFont, fill: "#ffffff", side: .middle)
        let name = DrawnText(preview.app.name).line(Self.heading, width: right - left - pill - 46)
        canvas.line(name, x: left + 36, y: top + 18, Self.heading, fill: palette.text)
        top += 34
        for block in words { top = canvas.block(block, x: left, top: top, fill: palette.text) }
        top += 6
        let rule = Box(x: left, y: top - 2, width: right - left, height: 0.75)
        canvas.rect(rule, fill: palette.quietText, opacity: 0.4)
        if entries.isEmpty {
            let text = "content-state is empty"
            canvas.line(text, x: left, y: top + 16, Self.plain, fill: palette.quietText)
        }
        for entry in entries {
            let row = Box(x: left, y: top, width: right - left, height: Self.row)
            draw(entry, in: row, on: &canvas)
            top += Self.row
        }
        if further > 0 {
            canvas.line("and \(further) more", x: left, y: top + 15, Self.small, fill: palette.quietText)
        }
    }

    private func draw(_ entry: LiveActivityPreview.Entry, in row: Box, on canvas: inout PreviewCanvas) {
        let y = row.y + 16
        let name = DrawnText(entry.name).line(Self.plain, width: row.width / 2 - 6)
        let nameWidth = TextMeasure.width(of: name, Self.plain)
        let value = DrawnText(entry.value)
        canvas.line(name, x: row.x, y: y, Self.plain, fill: canvas.palette.quietText)
        canvas.line(
            value.line(Self.heading, width: row.width - nameWidth - 12),
            x: row.maxX,
            y: y,
            DrawnText.Font(size: Self.plain.size, isBold: true),
            fill: canvas.palette.text,
            side: value.isRightToLeft ? .start : .end,
            isRightToLeft: value.isRightToLeft
        )
    }
}
