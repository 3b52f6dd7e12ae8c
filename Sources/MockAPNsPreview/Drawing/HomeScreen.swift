internal import MockAPNsWorld

/// The top of the home screen, with a banner and the app's icon with its badge.
enum HomeScreen {
    private static let iconSize = 62.0
    private static let others: [[String]] = [
        ["#9ec9ff", "#5f93e8"], ["#ffd19e", "#ef9a4f"], ["#b7e8b0", "#5fb46b"],
    ]

    /// The picture's height, which includes space for the banner's buttons.
    static func height(_ scene: PreviewScene) -> Double { 400 + buttons(of: scene).space }

    /// A banner shows only the first buttons.
    private static func buttons(of scene: PreviewScene) -> ActionStack? {
        scene.isShown ? ActionStack(scene.preview, most: CategoryLimit.fewestActions) : nil
    }

    static func draw(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        let screen = PhoneFrame.screen
        let stack = buttons(of: scene)
        let visible = Box(x: 0, y: 0, width: 433, height: 384 + stack.space)
        canvas.clipped(to: visible, radius: 0) { canvas in
            PhoneFrame.draw(on: &canvas) { canvas in
                PhoneFrame.status(time: scene.clock.time, on: &canvas)
                drawIcons(scene, y: screen.y + 254 + stack.space, on: &canvas)
                let top = screen.y + 58
                guard scene.isShown, scene.preview.kind == .alert else {
                    PhoneFrame.placard(placard(scene), centerY: screen.y + 128, on: &canvas)
                    return
                }
                let card = PreviewCard(scene.preview, width: screen.width - 20)
                card.draw(x: screen.x + 10, y: top, on: &canvas)
                let below = top + card.height + ActionStack.gap
                stack?.draw(x: screen.x + 10, y: below, width: screen.width - 20, on: &canvas)
            }
        }
    }

    private static func placard(_ scene: PreviewScene) -> PreviewScene.Placard {
        guard scene.isShown else { return scene.placard }
        return ("No banner", "A Live Activity is on the lock screen and in the Dynamic Island.")
    }

    private static func drawIcons(_ scene: PreviewScene, y: Double, on canvas: inout PreviewCanvas) {
        let screen = PhoneFrame.screen
        let app = scene.preview.app
        let gap = (screen.width - 4 * iconSize) / 5
        let x = screen.x + gap
        let icon = PreviewIcon(app: app, size: iconSize)
        icon.draw(x: x, y: y, on: &canvas)
        if let number = scene.preview.badge.number, number > 0, [.alert, .quiet].contains(scene.preview.kind)
        {
            icon.drawBadge(number, x: x, y: y, on: &canvas)
        }
        let font = DrawnText.Font(size: 12.5)
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
