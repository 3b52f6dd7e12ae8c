/// The app's icon; if it was not described, a letter on a color derived from the bundle identifier.
struct PreviewIcon {
    let app: PreviewedApp
    let size: Double

    func draw(x: Double, y: Double, isRound: Bool = false, on canvas: inout PreviewCanvas) {
        let box = Box(x: x, y: y, width: size, height: size)
        if let icon = app.icon {
            canvas.image(icon, in: box, radius: isRound ? size / 2 : size * 0.23)
            return
        }
        let fill = canvas.gradient([app.colors.top, app.colors.bottom])
        canvas.rect(box, radius: isRound ? size / 2 : size * 0.23, fill: fill)
        let (text, y) = (DrawnText(app.letter).text, box.midY + size * 0.19)
        canvas.line(text, x: box.midX, y: y, .bold(size * 0.54), fill: "#ffffff", side: .middle)
    }

    func drawBadge(_ number: Int64, x: Double, y: Double, on canvas: inout PreviewCanvas) {
        let font = DrawnText.Font.bold(14)
        let text = number > 99_999 ? "99999…" : String(number)
        let width = max(23, TextMeasure.width(of: text, font) + 12)
        let box = Box(x: x + size - width + 9, y: y - 9, width: width, height: 23)
        canvas.rect(box, radius: 11.5, fill: "#ff3b30")
        canvas.line(text, x: box.midX, y: box.midY + 5, font, fill: "#ffffff", side: .middle)
    }
}
