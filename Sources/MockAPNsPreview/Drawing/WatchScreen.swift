/// An Apple Watch with the short look, or with the long look if the notification has buttons.
enum WatchScreen {
    private static let screen = Box(x: 63, y: 52, width: 214, height: 266)
    private static let radius = 52.0

    static func draw(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        let metal = canvas.gradient(["#6c6c74", "#3a3a40", "#57575e"])
        let band = canvas.gradient(["#2c2c31", "#1c1c20"])
        canvas.rect(Box(x: 92, y: 4, width: 156, height: 362), radius: 30, fill: band)
        let body = screen.inset(by: -14)
        canvas.rect(Box(x: body.maxX - 3, y: body.y + 66, width: 13, height: 44), radius: 6, fill: metal)
        canvas.rect(Box(x: body.maxX - 2, y: body.y + 150, width: 6, height: 66), radius: 3, fill: metal)
        canvas.rect(body, radius: radius + 14, fill: metal)
        canvas.rect(screen, radius: radius, fill: "#000000")
        canvas.clipped(to: screen, radius: radius) { drawLook(scene, on: &$0) }
    }

    private static func drawLook(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        let small = DrawnText.Font(size: 14, isBold: true)
        let heading = DrawnText.Font(size: 18, isBold: true)
        let time = scene.clock.time
        canvas.line(time, x: screen.maxX - 34, y: screen.y + 32, small, fill: "#ffffff", side: .end)
        let width = screen.width - 30
        guard scene.isShown, scene.preview.kind == .alert else {
            let placard: PreviewScene.Placard =
                scene.isShown ? ("No short look", scene.preview.kind.row.sentence) : scene.placard
            let plain = DrawnText.Font(size: 13)
            let headline = DrawnText(placard.headline).block(heading, width: width, most: 3)
            let sentence = DrawnText(placard.sentence).block(plain, width: width, most: 5)
            let top = canvas.block(
                headline,
                x: screen.midX,
                top: screen.y + 74,
                fill: "#ffffff",
                side: .middle
            )
            canvas.block(sentence, x: screen.midX, top: top + 6, fill: "#c7c7cc", side: .middle)
            return
        }
        if let look = WatchLongLook(scene.preview) {
            look.draw(in: screen, on: &canvas)
            return
        }
        let app = scene.preview.app
        let icon = PreviewIcon(app: app, size: 88)
        icon.draw(x: screen.midX - 44, y: screen.y + 52, isRound: true, on: &canvas)
        // Without a title, the short look shows only the app's name.
        let title = DrawnText(scene.preview.title?.text ?? "").block(heading, width: width, most: 2)
        let top = canvas.block(title, x: screen.midX, top: screen.y + 154, fill: "#ffffff", side: .middle)
        let name = DrawnText(app.name.uppercased()).line(small, width: width)
        canvas.line(name, x: screen.midX, y: top + 20, small, fill: app.colors.top, side: .middle)
    }
}
