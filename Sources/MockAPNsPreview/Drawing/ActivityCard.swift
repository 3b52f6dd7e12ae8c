/// A Live Activity's content state as a list, because the views are defined in the app.
struct ActivityCard {
    private static let padding = 15.0
    private static let most = 9
    private static let heading = DrawnText.Font.bold(15)
    private static let plain = DrawnText.Font.plain(14)
    private static let small = DrawnText.Font.plain(12)
    /// The height of the line with the app and the event, of the space above the entries, and of an entry.
    private static let top = 34.0
    private static let gap = 6.0
    private static let row = 22.0

    let preview: NotificationPreview
    let timeZone: UTCOffset

    /// When the content becomes stale, and when the card goes: a line below the state.
    private var dates: String? {
        let dates = [("stale at", "stale-date"), ("removed at", "dismissal-date")].compactMap { words, name in
            preview.activity?.date(name).map { "\(words) \(PreviewClock($0, timeZone).time)" }
        }
        return dates.isEmpty ? nil : dates.joined(separator: ", ")
    }

    private var entries: [LiveActivityPreview.Entry] { preview.activity?.entries ?? [] }

    private var words: [TextBlock] {
        [(preview.title, Self.heading), (preview.body, Self.plain)].map { text, font in
            DrawnText(text).block(font, width: PhoneFrame.cardWidth - 2 * Self.padding)
        }
    }

    var height: Double {
        // The line that counts further entries takes the space of one entry.
        let rows = min(max(1, entries.count), Self.most + 1)
        let text = words.reduce(0) { $0 + $1.height }
        let last = dates == nil ? 0 : Self.row
        return 2 * Self.padding + Self.top + text + Self.gap + Double(rows) * Self.row + last
    }

    func draw(top: Double, on canvas: inout PreviewCanvas) {
        let box = PhoneFrame.card(top: top, height: height)
        canvas.mark(box)
        canvas.card(box) { canvas in
            var content = box.inset(by: Self.padding)
            drawHeader(in: content, on: &canvas)
            content.y += Self.top
            for block in words {
                content.y = canvas.block(block, x: content.x, top: content.y, fill: canvas.palette.text)
            }
            content.y += Self.gap
            drawEntries(in: content, on: &canvas)
        }
    }

    private func drawHeader(in box: Box, on canvas: inout PreviewCanvas) {
        PreviewIcon(app: preview.app, size: 26).draw(x: box.x, y: box.y, on: &canvas)
        let event = DrawnText(preview.activity?.word ?? "no event").line(Self.small, width: 110)
        let width = TextMeasure.width(of: event, Self.small) + 18
        let pill = Box(x: box.maxX - width, y: box.y + 2, width: width, height: 22)
        canvas.rect(pill, radius: 11, fill: preview.app.colors.bottom)
        canvas.line(event, x: pill.midX, y: box.y + 17, .bold(12), fill: "#ffffff", side: .middle)
        let name = DrawnText(preview.app.name).line(Self.heading, width: box.width - width - 46)
        canvas.line(name, x: box.x + 36, y: box.y + 18, Self.heading, fill: canvas.palette.text)
    }

    private func drawEntries(in box: Box, on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        let rule = Box(x: box.x, y: box.y - 2, width: box.width, height: 0.75)
        canvas.rect(rule, fill: palette.quietText, opacity: 0.4)
        var y = box.y + 16
        if entries.isEmpty {
            canvas.line("content-state is empty", x: box.x, y: y, Self.plain, fill: palette.quietText)
        }
        for entry in entries.prefix(Self.most) {
            let name = DrawnText(entry.name).line(Self.plain, width: box.width / 2 - 6)
            canvas.line(name, x: box.x, y: y, Self.plain, fill: palette.quietText)
            let value = DrawnText(entry.value)
            let nameWidth = TextMeasure.width(of: name, Self.plain)
            canvas.line(
                value.line(Self.heading, width: box.width - nameWidth - 12), x: box.maxX, y: y, .bold(14),
                fill: palette.text, side: value.isRightToLeft ? .start : .end, isRightToLeft: value.isRightToLeft)
            y += Self.row
        }
        if entries.count > Self.most {
            let text = "and \(entries.count - Self.most) more"
            canvas.line(text, x: box.x, y: y - 1, Self.small, fill: palette.quietText)
            y += Self.row
        }
        guard let dates else { return }
        if entries.isEmpty { y += Self.row }
        let line = dates.prefix(1).uppercased() + dates.dropFirst()
        canvas.line(line, x: box.x, y: y - 1, Self.small, fill: palette.quietText)
    }
}
