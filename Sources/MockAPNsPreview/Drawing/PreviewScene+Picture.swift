extension PreviewScene {
    private static let margin = 20.0
    private static let mostNotes = 4
    private static let chipFont = DrawnText.Font.plain(11.5)
    private static let print =
        "Approximation of iOS by mock-apns: names, icons, fonts and line breaks differ."

    /// Returns an SVG picture of the push as iOS might show it.
    ///
    /// The same scene always produces the same bytes.
    package func picture(_ view: PreviewView, _ appearance: PreviewAppearance) -> String {
        let row = view.row
        var canvas = PreviewCanvas(appearance)
        row.draw(self, &canvas)
        let width = row.width
        let height = drawCaption(from: row.height(self) + 6, width: width, on: &canvas)
        var svg = SVGWriter()
        let attributes: SVGWriter.Attributes = [
            "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
            "viewBox": "0 0 \(width.svg) \(height.svg)", "role": "img",
            "aria-labelledby": "picture-title picture-description", "font-family": PreviewCanvas.fonts,
        ]
        svg.open("svg", attributes)
        let title = "\(row.name): \(DrawnText(preview.app.name).text)"
        svg.element("title", ["id": "picture-title"], text: title)
        svg.element("desc", ["id": "picture-description"], text: DrawnText(description).text)
        svg.open("defs")
        svg.append(canvas.definitions)
        svg.close("defs")
        svg.element("rect", ["width": "100%", "height": "100%", "fill": canvas.palette.page])
        svg.append(canvas.svg)
        svg.close("svg")
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + svg.text
    }

    /// Returns the picture's bottom edge.
    private func drawCaption(from top: Double, width: Double, on canvas: inout PreviewCanvas) -> Double {
        let palette = canvas.palette
        let textWidth = width - 2 * Self.margin
        var top = drawChips(from: top, width: width, on: &canvas)
        for note in preview.remarks.prefix(Self.mostNotes) {
            let text = DrawnText(note).block(.plain(12), width: textWidth, most: 3)
            top = canvas.block(text, x: Self.margin, top: top, fill: palette.warning) + 3
        }
        let print = DrawnText(Self.print).block(.plain(10.5), width: textWidth, most: 2)
        return canvas.block(print, x: width / 2, top: top + 2, fill: palette.quietCaption, side: .middle) + 10
    }

    private func drawChips(from top: Double, width: Double, on canvas: inout PreviewCanvas) -> Double {
        let palette = canvas.palette
        guard !preview.chips.isEmpty else { return top }
        var (x, y) = (Self.margin, top)
        for chip in preview.chips {
            let name = DrawnText(chip.name).line(Self.chipFont, width: width - 2 * Self.margin - 22)
            let chipWidth = TextMeasure.width(of: name, Self.chipFont) + 20
            if x > Self.margin, x + chipWidth > width - Self.margin { (x, y) = (Self.margin, y + 29) }
            let box = Box(x: x, y: y, width: chipWidth, height: 23)
            canvas.rect(box, radius: 11.5, fill: palette.chip)
            canvas.line(name, x: box.midX, y: y + 15.5, Self.chipFont, fill: palette.caption, side: .middle)
            x = box.maxX + 6
        }
        return y + 33
    }
}
