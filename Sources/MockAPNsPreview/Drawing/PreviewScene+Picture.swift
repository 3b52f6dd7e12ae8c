extension PreviewScene {
    private static let margin = 20.0
    private static let mostNotes = 4
    private static let cropMargin = 12.0
    private static let chipFont = DrawnText.Font.plain(11.5)
    private static let print = "Approximation of iOS by mock-apns"
    private static let differences = ": names, icons, fonts and line breaks differ."

    /// Returns an SVG picture of the push as iOS might show it.
    ///
    /// The same scene always produces the same bytes.
    package func picture(_ view: PreviewView, _ appearance: PreviewAppearance, crop: PreviewCrop = .device) -> String {
        let row = view.row
        var canvas = PreviewCanvas(appearance, isCropped: crop == .notification)
        row.draw(self, &canvas)
        var frame = Box(x: 0, y: 0, width: row.width, height: row.height(self))
        if crop == .notification, let subject = canvas.subject {
            let screen = view == .watch ? frame : PhoneFrame.screen
            let height = subject.height + 2 * Self.cropMargin
            let part = Box(x: screen.x, y: subject.y - Self.cropMargin, width: screen.width, height: height)
            frame = part.intersection(screen)
            canvas.crop(to: frame, radius: 24)
        }
        frame.height = drawCaption(below: frame, crop, on: &canvas) - frame.y
        var svg = SVGWriter()
        let place = [frame.x, frame.y, frame.width, frame.height].map(\.svg).joined(separator: " ")
        let attributes: SVGWriter.Attributes = [
            "xmlns": "http://www.w3.org/2000/svg", "width": frame.width, "height": frame.height, "viewBox": place,
            "role": "img", "aria-labelledby": "picture-title picture-description", "font-family": PreviewCanvas.fonts,
        ]
        svg.open("svg", attributes)
        let title = "\(row.name): \(DrawnText(preview.app.name).text)"
        svg.element("title", ["id": "picture-title"], text: title)
        svg.element("desc", ["id": "picture-description"], text: DrawnText(description).text)
        svg.open("defs")
        svg.append(canvas.definitions)
        svg.close("defs")
        svg.rect(frame, radius: 0, ["fill": canvas.palette.page])
        svg.append(canvas.svg)
        svg.close("svg")
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + svg.text
    }

    /// Returns the picture's bottom edge.
    private func drawCaption(below frame: Box, _ crop: PreviewCrop, on canvas: inout PreviewCanvas) -> Double {
        let palette = canvas.palette
        let content = Box(x: frame.x + Self.margin, y: frame.maxY + 6, width: frame.width - 2 * Self.margin, height: 0)
        var top = content.y
        if crop == .device {
            top = drawChips(in: content, on: &canvas)
            for note in preview.remarks.prefix(Self.mostNotes) {
                let text = DrawnText(note).block(.plain(12), width: content.width, most: 3)
                top = canvas.block(text, x: content.x, top: top, fill: palette.warning) + 3
            }
        }
        let words = Self.print + (crop == .device ? Self.differences : "")
        let print = DrawnText(words).block(.plain(10.5), width: content.width, most: 2)
        return canvas.block(print, x: frame.midX, top: top + 2, fill: palette.quietCaption, side: .middle) + 10
    }

    /// Returns the bottom edge of the chips.
    private func drawChips(in content: Box, on canvas: inout PreviewCanvas) -> Double {
        let palette = canvas.palette
        guard !preview.chips.isEmpty else { return content.y }
        var (x, y) = (content.x, content.y)
        for chip in preview.chips {
            let name = DrawnText(chip.name).line(Self.chipFont, width: content.width - 22)
            let chipWidth = TextMeasure.width(of: name, Self.chipFont) + 20
            if x > content.x, x + chipWidth > content.maxX { (x, y) = (content.x, y + 29) }
            let box = Box(x: x, y: y, width: chipWidth, height: 23)
            canvas.rect(box, radius: 11.5, fill: palette.chip)
            canvas.line(name, x: box.midX, y: y + 15.5, Self.chipFont, fill: palette.caption, side: .middle)
            x = box.maxX + 6
        }
        return y + 33
    }
}
