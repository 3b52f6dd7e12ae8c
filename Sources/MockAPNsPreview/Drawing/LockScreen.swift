/// The lock screen, with the notification at the bottom.
enum LockScreen {
    private static let margin = 10.0
    private static let bottom = PhoneFrame.screen.maxY - 122
    private static let mostLines = 12

    static func draw(_ scene: PreviewScene, on canvas: inout PreviewCanvas) {
        let screen = PhoneFrame.screen
        PhoneFrame.draw(on: &canvas) { canvas in
            PhoneFrame.status(time: nil, on: &canvas)
            PhoneFrame.clock(scene.clock, on: &canvas)
            drawButtons(on: &canvas)
            PhoneFrame.homeIndicator(on: &canvas)
            guard scene.isShown else {
                PhoneFrame.placard(scene.placard, centerY: screen.midY + 60, on: &canvas)
                return
            }
            let width = screen.width - 2 * margin
            if scene.preview.kind == .liveActivity {
                let card = ActivityCard(scene.preview, width: width)
                card.draw(x: screen.x + margin, y: bottom - card.height, on: &canvas)
            } else if scene.preview.actions?.isEmpty == false {
                drawOpened(scene.preview, on: &canvas)
            } else {
                let card = PreviewCard(scene.preview, width: width)
                card.draw(x: screen.x + margin, y: bottom - card.height, on: &canvas)
            }
        }
    }

    private static func drawOpened(_ preview: NotificationPreview, on canvas: inout PreviewCanvas) {
        let screen = PhoneFrame.screen
        let top = screen.y + 216
        let width = screen.width - 2 * margin
        PhoneFrame.dim(on: &canvas)
        let wanted = (ActionStack(preview)?.height ?? 0) + ActionStack.gap
        var card = PreviewCard(preview, width: width, mostLines: mostLines)
        // If space is limited, the extra body lines go first, then the buttons shrink.
        if card.height + wanted > bottom - top { card = PreviewCard(preview, width: width) }
        let stack = ActionStack(preview, room: bottom - top - card.height - ActionStack.gap)
        let height = card.height + stack.space
        card.draw(x: screen.x + margin, y: bottom - height, on: &canvas)
        stack?.draw(x: screen.x + margin, y: bottom - (stack?.height ?? 0), width: width, on: &canvas)
    }

    private static func drawButtons(on canvas: inout PreviewCanvas) {
        let screen = PhoneFrame.screen
        let y = screen.maxY - 64
        let (left, right) = (screen.x + 70, screen.maxX - 70)
        for x in [left, right] { canvas.circle(x: x, y: y, radius: 25, fill: "#000000", opacity: 0.36) }
        canvas.path("M\(left - 5) \(y - 11)h10v4l-2.6 4.6v12.6h-4.8v-12.6l-2.6 -4.6z", fill: "#ffffff")
        let camera = Box(x: right - 11, y: y - 6.5, width: 22, height: 15)
        canvas.rect(camera, radius: 3.5, fill: "#ffffff")
        canvas.path("M\(right - 5) \(y - 6)l2 -3.4h6l2 3.4z", fill: "#ffffff")
        canvas.circle(x: right, y: y + 1, radius: 4.6, fill: "#4c4c55")
    }
}
