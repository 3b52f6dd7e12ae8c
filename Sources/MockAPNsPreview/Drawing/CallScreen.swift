/// An incoming call: the whole screen of a locked device, or a banner.
enum CallScreen {
    private static let screen = PhoneFrame.screen
    private static let (red, green) = ("#ff3b30", "#34c759")
    static let bannerHeight = 84.0

    static func draw(_ preview: NotificationPreview, on canvas: inout PreviewCanvas) {
        canvas.rect(screen, fill: "#000000", opacity: 0.45)
        let (x, width) = (screen.midX, screen.width - 60)
        var top = screen.y + 84
        let start = top
        if let label = preview.outcome.label {
            canvas.line(label, x: x, y: top + 10, .bold(13), fill: "#ff8a80", side: .middle)
        }
        top += 18
        let app = DrawnText(words(of: preview)).line(.plain(18), width: width - 40)
        let appWidth = TextMeasure.width(of: app, .plain(18)) + 32
        PreviewIcon(app: preview.app, size: 24).draw(x: x - appWidth / 2, y: top, on: &canvas)
        canvas.line(app, x: x - appWidth / 2 + 32, y: top + 18, .plain(18), fill: "#ffffff")
        let name = DrawnText(preview.call.name).block(.bold(36), width: width, most: 2)
        top = canvas.block(name, x: x, top: top + 32, fill: "#ffffff", side: .middle)
        // A cropped picture has the buttons below the name instead of at the end of the screen.
        let middle = canvas.isCropped ? top + 64 : screen.maxY - 170
        for (x, color, label) in [(screen.x + 90, red, "Decline"), (screen.maxX - 90, green, "Accept")] {
            drawButton(x: x, y: middle, radius: 38, color, on: &canvas)
            canvas.line(label, x: x, y: middle + 62, .plain(16), fill: "#ffffff", side: .middle)
        }
        canvas.mark(Box(x: screen.x, y: start, width: screen.width, height: middle + 70 - start))
    }

    static func drawBanner(_ preview: NotificationPreview, top: Double, on canvas: inout PreviewCanvas) {
        let box = PhoneFrame.card(top: top, height: bannerHeight)
        canvas.mark(box)
        canvas.rect(box, radius: 36, fill: "#1c1c1e")
        PreviewIcon(app: preview.app, size: 44).draw(x: box.x + 20, y: box.midY - 22, on: &canvas)
        let (x, width) = (box.x + 76, box.width - 76 - 124)
        let small = DrawnText.Font.plain(13)
        let medium = DrawnText(words(of: preview)).line(small, width: width)
        canvas.line(medium, x: x, y: box.midY - 8, small, fill: "#b6b6c0")
        let name = DrawnText(preview.call.name)
        let text = name.line(.bold(17), width: width)
        let isRightToLeft = name.isRightToLeft
        let edge = isRightToLeft ? x + width : x
        canvas.line(text, x: edge, y: box.midY + 14, .bold(17), fill: "#ffffff", isRightToLeft: isRightToLeft)
        if let label = preview.outcome.label {
            canvas.line(label, x: x, y: box.midY + 31, .bold(10.5), fill: "#ff8a80")
        }
        drawButton(x: box.maxX - 94, y: box.midY, radius: 23, red, on: &canvas)
        drawButton(x: box.maxX - 38, y: box.midY, radius: 23, green, on: &canvas)
    }

    private static func words(of preview: NotificationPreview) -> String {
        "\(preview.app.name) \(preview.call.medium)"
    }

    /// Draws a handset: hanging up if the button is red.
    private static func drawButton(
        x: Double, y: Double, radius: Double, _ color: String, on canvas: inout PreviewCanvas
    ) {
        canvas.circle(x: x, y: y, radius: radius, fill: color)
        let unit = radius / 38
        func place(_ right: Double, _ down: Double) -> String {
            let (right, down) = color == red ? (right, down) : ((right + down) * 0.7, (right - down) * 0.7)
            return "\((x + right * unit).svg) \((y + down * unit).svg)"
        }
        canvas.path("M\(place(-17, 3))Q\(place(0, -11)) \(place(17, 3))", stroke: "#ffffff", width: 7 * unit)
        for end in [-15.0, 15] {
            canvas.path("M\(place(end, 1))L\(place(end, 5))", stroke: "#ffffff", width: 11 * unit)
        }
    }
}
