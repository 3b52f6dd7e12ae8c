internal import MockAPNsWorld

/// The top of the home screen, with a banner and the app's icon with its badge.
enum HomeScreen {
    private static let screen = PhoneFrame.screen
    private static let iconSize = 62.0
    private static let others: [[String]] = [["#9ec9ff", "#5f93e8"], ["#ffd19e", "#ef9a4f"], ["#b7e8b0", "#5fb46b"]]

    private static let noBanner: PreviewScene.EmptyState = (
        "No banner", "A Live Activity is on the lock screen and in the Dynamic Island."
    )

    /// The picture's height, which includes space for the banner's buttons.
    static func height(_ scene: PreviewScene) -> Double { 400 + (banner(of: scene)?.buttonSpace ?? 0) }

    /// A banner shows only the first buttons.
    private static func banner(of scene: PreviewScene) -> PreviewCard? {
        guard scene.isShown, scene.preview.kind == .alert else { return nil }
        return PreviewCard(scene.preview, mostButtons: NotificationCategory.fewestActions)
    }

    static func draw(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        let banner = banner(of: scene)
        let space = banner?.buttonSpace ?? 0
        let visible = Box(x: 0, y: 0, width: 433, height: 384 + space)
        canvas.clipped(to: visible) { canvas in
            PhoneFrame.draw(time: scene.clock.time, on: &canvas) { canvas in
                drawIcons(scene, y: screen.y + 254 + space, on: &canvas)
                if scene.preview.kind == .voip {
                    CallScreen.drawBanner(scene.preview, top: screen.y + 58, on: &canvas)
                } else if let banner {
                    let top = screen.y + 58
                    banner.draw(top: top, on: &canvas)
                    canvas.mark(PhoneFrame.card(top: top, height: banner.height))
                } else {
                    let emptyState = scene.isShown ? noBanner : scene.emptyState
                    PhoneFrame.emptyState(emptyState, centerY: screen.y + 128, on: &canvas)
                }
            }
        }
    }

    private static func drawIcons(_ scene: PreviewScene, y: Double, on canvas: inout PreviewCanvas) {
        let app = scene.preview.app
        let gap = (screen.width - 4 * iconSize) / 5
        let x = screen.x + gap
        let icon = PreviewIcon(app: app, size: iconSize)
        icon.draw(x: x, y: y, on: &canvas)
        if let number = scene.preview.badge.number, number > 0, [.alert, .quiet].contains(scene.preview.kind) {
            icon.drawBadge(number, x: x, y: y, on: &canvas)
            canvas.mark(Box(x: x, y: y, width: iconSize, height: iconSize + 19))
        }
        let font = DrawnText.Font.plain(12.5)
        let name = DrawnText(app.name).line(font, width: iconSize + gap - 4)
        canvas.line(name, x: x + iconSize / 2, y: y + iconSize + 19, font, fill: "#ffffff", side: .middle)
        for (position, colors) in others.enumerated() {
            let left = x + Double(position + 1) * (iconSize + gap)
            let box = Box(x: left, y: y, width: iconSize, height: iconSize)
            canvas.rect(box, radius: iconSize * 0.23, fill: canvas.gradient(colors), opacity: 0.55)
            let label = Box(x: box.midX - 17, y: box.maxY + 11, width: 34, height: 7)
            canvas.rect(label, radius: 3.5, fill: "#ffffff", opacity: 0.4)
        }
    }
}
