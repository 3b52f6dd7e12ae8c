/// The elements shared by all phone screens, such as the frame, the wallpaper and the status bar.
enum PhoneFrame {
    static let screen = Box(x: 20, y: 20, width: 393, height: 852)
    static let cardWidth = screen.width - 20
    private static let radius = 54.0

    /// Draws the screen's content in the frame, with the time next to the Dynamic Island if given.
    static func draw(time: String? = nil, on canvas: inout PreviewCanvas, _ draw: (inout PreviewCanvas) -> Void) {
        let body = screen.inset(by: -9)
        canvas.rect(body, radius: radius + 9, fill: canvas.gradient(["#5b5b63", "#2f2f35", "#5b5b63"]))
        canvas.rect(body.inset(by: 2), radius: radius + 7, fill: "#050506")
        canvas.clipped(to: screen, radius: radius) { canvas in
            drawWallpaper(on: &canvas)
            drawStatus(time: time, on: &canvas)
            draw(&canvas)
            let island = Box(x: screen.midX - 62, y: screen.y + 11, width: 124, height: 36)
            canvas.rect(island, radius: 18, fill: "#000000")
        }
    }

    private static func drawWallpaper(on canvas: inout PreviewCanvas) {
        let palette = canvas.palette
        canvas.rect(screen, fill: canvas.gradient(palette.wallpaper))
        let glows: [(x: Double, y: Double, radius: Double, opacity: Double)] = [
            (screen.x + 60, screen.y + 180, 260, 0.75), (screen.maxX - 20, screen.y + 420, 300, 0.6),
            (screen.x + 130, screen.maxY - 90, 280, 0.45),
        ]
        for (place, color) in zip(glows, palette.glows) {
            let glow = canvas.glow(color, opacity: place.opacity)
            canvas.circle(x: place.x, y: place.y, radius: place.radius, fill: glow)
        }
    }

    private static func drawStatus(time: String?, on canvas: inout PreviewCanvas) {
        let y = screen.y + 36
        if let time { canvas.line(time, x: screen.x + 68, y: y, .bold(17), fill: "#ffffff", side: .middle) }
        let x = screen.maxX - 102
        for bar in 0..<4 {
            let height = 4 + Double(bar) * 2.6
            let box = Box(x: x + Double(bar) * 5, y: y - height, width: 3.2, height: height)
            canvas.rect(box, radius: 1, fill: "#ffffff")
        }
        let fan = x + 34
        canvas.path("M\(fan - 8) \(y - 7.5)a11.5 11.5 0 0 1 16 0", stroke: "#ffffff", width: 2.2)
        canvas.path("M\(fan - 4.6) \(y - 4)a6.8 6.8 0 0 1 9.2 0", stroke: "#ffffff", width: 2.2)
        canvas.circle(x: fan, y: y - 1.2, radius: 1.7, fill: "#ffffff")
        let battery = Box(x: x + 51, y: y - 12, width: 25, height: 12.5)
        canvas.outline(battery, radius: 4, stroke: "#ffffff", width: 1.1, opacity: 0.55)
        let charge = Box(x: battery.x + 2, y: battery.y + 2, width: 17, height: battery.height - 4)
        canvas.rect(charge, radius: 2.2, fill: "#ffffff")
        canvas.path("M\(battery.maxX + 2) \(battery.y + 4.2)v4", stroke: "#ffffff", width: 1.6)
    }

    /// Returns the place of a card, its buttons or another card of the same width.
    static func card(top: Double, height: Double) -> Box {
        Box(x: screen.midX - cardWidth / 2, y: top, width: cardWidth, height: height)
    }

    static func clock(_ clock: PreviewClock, on canvas: inout PreviewCanvas) {
        let x = screen.midX
        canvas.line(clock.date, x: x, y: screen.y + 104, .bold(21), fill: "#ffffff", side: .middle)
        canvas.line(clock.time, x: x, y: screen.y + 196, .bold(98), fill: "#ffffff", side: .middle)
    }

    static func homeIndicator(on canvas: inout PreviewCanvas) {
        let bar = Box(x: screen.midX - 67, y: screen.maxY - 13, width: 134, height: 5)
        canvas.rect(bar, radius: 2.5, fill: "#ffffff")
    }

    /// Draws a placeholder when there is no notification.
    static func emptyState(_ emptyState: PreviewScene.EmptyState, centerY: Double, on canvas: inout PreviewCanvas) {
        let width = screen.width - 72
        let headline = DrawnText(emptyState.headline).block(.bold(17), width: width - 40, most: 2)
        let sentence = DrawnText(emptyState.sentence).block(.plain(14), width: width - 40, most: 6)
        let height = headline.height + sentence.height + 42
        let box = Box(x: screen.midX - width / 2, y: centerY - height / 2, width: width, height: height)
        canvas.mark(box)
        canvas.rect(box, radius: 22, fill: "#000000", opacity: 0.42)
        canvas.outline(box, radius: 22, stroke: "#ffffff", width: 1.2, opacity: 0.7, dashes: "5 5")
        let top = canvas.block(headline, x: box.midX, top: box.y + 18, fill: "#ffffff", side: .middle)
        canvas.block(sentence, x: box.midX, top: top + 5, fill: "#ffffff", side: .middle)
    }
}
