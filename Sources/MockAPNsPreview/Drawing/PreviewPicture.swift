/// An SVG picture of a push as iOS might show it.
///
/// The same scene always produces the same bytes.
package struct PreviewPicture {
    private static let margin = 20.0
    private static let mostNotes = 4
    private static let chipFont = DrawnText.Font(size: 11.5)
    private static let noteFont = DrawnText.Font(size: 12)
    private static let printFont = DrawnText.Font(size: 10.5)
    private static let print =
        "Approximation of iOS by mock-apns: names, icons, fonts and line breaks differ."

    private let scene: PreviewScene
    private let view: PreviewView
    private let appearance: PreviewAppearance

    package init(_ scene: PreviewScene, view: PreviewView, appearance: PreviewAppearance) {
        self.scene = scene
        self.view = view
        self.appearance = appearance
    }

    package var svg: String {
        let row = view.row
        var canvas = PreviewCanvas(appearance)
        row.draw(scene, &canvas)
        let width = row.width
        let height = drawCaption(from: row.height(scene) + 6, width: width, on: &canvas)
        var writer = SVGWriter()
        writer.element(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
                "viewBox": "0 0 \(width.svg) \(height.svg)", "role": "img",
                "aria-labelledby": "picture-title picture-description", "font-family": PreviewCanvas.fonts,
            ]
        ) { svg in
            let title = "\(row.name): \(DrawnText(scene.preview.app.name).text)"
            svg.element("title", ["id": "picture-title"], text: title)
            svg.element("desc", ["id": "picture-description"], text: DrawnText(scene.description).text)
            svg.element("defs", [:]) { $0.append(canvas.definitions) }
            svg.element("rect", ["width": "100%", "height": "100%", "fill": canvas.palette.page])
            svg.append(canvas.svg)
        }
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + writer.text
    }

    /// Returns the picture's bottom edge.
    private func drawCaption(from top: Double, width: Double, on canvas: inout PreviewCanvas) -> Double {
        let palette = canvas.palette
        var top = drawChips(from: top, width: width, on: &canvas)
        for note in scene.preview.remarks.prefix(Self.mostNotes) {
            let text = DrawnText(note).block(Self.noteFont, width: width - 2 * Self.margin, most: 3)
            top = canvas.block(text, x: Self.margin, top: top, fill: palette.warning) + 3
        }
        let print = DrawnText(Self.print).block(Self.printFont, width: width - 2 * Self.margin, most: 2)
        return canvas.block(print, x: width / 2, top: top + 2, fill: palette.quietCaption, side: .middle) + 10
    }

    private func drawChips(from top: Double, width: Double, on canvas: inout PreviewCanvas) -> Double {
        let palette = canvas.palette
        let names = scene.preview.chips.map {
            DrawnText($0.name).line(Self.chipFont, width: width - 2 * Self.margin - 22)
        }
        guard !names.isEmpty else { return top }
        var (x, y) = (Self.margin, top)
        for name in names {
            let chip = TextMeasure.width(of: name, Self.chipFont) + 20
            if x > Self.margin, x + chip > width - Self.margin { (x, y) = (Self.margin, y + 29) }
            let box = Box(x: x, y: y, width: chip, height: 23)
            canvas.rect(box, radius: 11.5, fill: palette.chip)
            canvas.line(name, x: box.midX, y: y + 15.5, Self.chipFont, fill: palette.caption, side: .middle)
            x = box.maxX + 6
        }
        return y + 33
    }
}
