internal import MockAPNsFormats

/// A canvas that draws shapes and text as SVG, in the colors of an appearance.
struct PreviewCanvas {
    struct Box {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        var midX: Double { x + width / 2 }
        var midY: Double { y + height / 2 }
        var maxX: Double { x + width }
        var maxY: Double { y + height }
    }

    /// The text's alignment relative to its x coordinate, as a value of `text-anchor`.
    enum Side: String {
        case start
        case middle
        case end
    }

    /// San Francisco if available, then the most similar fonts.
    static let fonts =
        "-apple-system, BlinkMacSystemFont, 'SF Pro Text', Inter, 'Helvetica Neue', 'Segoe UI', Roboto,"
        + " 'Noto Sans', 'Liberation Sans', Arial, sans-serif"

    let palette: PreviewAppearance.Palette
    private(set) var svg = SVGWriter()
    private(set) var definitions = SVGWriter()
    private var lastID = 0

    init(_ appearance: PreviewAppearance) { palette = appearance.row }

    // MARK: Shapes

    mutating func rect(_ box: Box, radius: Double = 0, fill: String, opacity: Double = 1) {
        svg.element(
            "rect",
            [
                "x": .number(box.x), "y": .number(box.y), "width": .number(box.width),
                "height": .number(box.height), "rx": .number(radius), "fill": .text(fill),
                "fill-opacity": .number(opacity),
            ]
        )
    }

    mutating func outline(
        _ box: Box,
        radius: Double,
        stroke: String,
        width: Double = 1,
        opacity: Double = 1,
        dashes: String = "none"
    ) {
        svg.element(
            "rect",
            [
                "x": .number(box.x), "y": .number(box.y), "width": .number(box.width),
                "height": .number(box.height), "rx": .number(radius), "fill": "none", "stroke": .text(stroke),
                "stroke-width": .number(width), "stroke-opacity": .number(opacity),
                "stroke-dasharray": .text(dashes),
            ]
        )
    }

    mutating func circle(x: Double, y: Double, radius: Double, fill: String, opacity: Double = 1) {
        svg.element(
            "circle",
            [
                "cx": .number(x), "cy": .number(y), "r": .number(radius), "fill": .text(fill),
                "fill-opacity": .number(opacity),
            ]
        )
    }

    mutating func path(_ path: String, fill: String = "none", stroke: String = "none", width: Double = 0) {
        svg.element(
            "path",
            [
                "d": .text(path), "fill": .text(fill), "stroke": .text(stroke),
                "stroke-width": .number(width),
                "stroke-linecap": "round", "stroke-linejoin": "round",
            ]
        )
    }

    /// Clips the drawing to a rounded box, so that no text can overflow it.
    mutating func clipped(to box: Box, radius: Double, _ draw: (inout PreviewCanvas) -> Void) {
        let id = nextID("clip")
        definitions.element("clipPath", ["id": .text(id)]) { svg in
            svg.element(
                "rect",
                [
                    "x": .number(box.x), "y": .number(box.y), "width": .number(box.width),
                    "height": .number(box.height), "rx": .number(radius),
                ]
            )
        }
        var inner = self
        inner.svg = SVGWriter()
        draw(&inner)
        let drawn = inner.svg
        inner.svg = svg
        self = inner
        svg.element("g", ["clip-path": "url(#\(id))"]) { $0.append(drawn) }
    }

    /// Defines a vertical gradient and returns it as a fill.
    mutating func gradient(_ colors: [String]) -> String {
        let id = nextID("fill")
        definitions.element("linearGradient", ["id": .text(id), "x1": 0, "y1": 0, "x2": 0, "y2": 1]) { svg in
            for (position, color) in colors.enumerated() {
                let offset = Double(position) / Double(max(1, colors.count - 1))
                svg.element("stop", ["offset": .number(offset), "stop-color": .text(color)])
            }
        }
        return "url(#\(id))"
    }

    /// Defines a radial gradient that fades out from the center and returns it as a fill.
    mutating func glow(_ color: String, opacity: Double) -> String {
        let id = nextID("glow")
        definitions.element("radialGradient", ["id": .text(id)]) { svg in
            svg.element("stop", ["offset": 0, "stop-color": .text(color), "stop-opacity": .number(opacity)])
            svg.element("stop", ["offset": 1, "stop-color": .text(color), "stop-opacity": 0])
        }
        return "url(#\(id))"
    }

    private mutating func nextID(_ word: String) -> String {
        lastID += 1
        return "\(word)\(lastID)"
    }

    // MARK: Text

    /// Draws one line of text with its baseline at `y`.
    mutating func line(
        _ text: String,
        x: Double,
        y: Double,
        _ font: DrawnText.Font,
        fill: String,
        side: Side = .start,
        weight: Int? = nil,
        isRightToLeft: Bool = false
    ) {
        guard !text.isEmpty else { return }
        svg.element(
            "text",
            [
                "x": .number(x), "y": .number(y), "font-size": .number(font.size),
                "font-weight": .number(Double(weight ?? (font.isBold ? 600 : 400))), "fill": .text(fill),
                "text-anchor": .text(side.rawValue), "direction": .text(isRightToLeft ? "rtl" : "ltr"),
            ],
            text: text
        )
    }

    /// Draws lines of text, aligned to the right edge if the text runs from right to left.
    ///
    /// - Returns: the top of the next line.
    @discardableResult
    mutating func lines(
        _ lines: [String],
        of text: DrawnText,
        x: Double,
        top: Double,
        width: Double,
        _ font: DrawnText.Font,
        fill: String
    ) -> Double {
        var top = top
        for text in lines.map({ (line: $0, isRightToLeft: text.isRightToLeft) }) {
            line(
                text.line,
                x: text.isRightToLeft ? x + width : x,
                y: top + font.lineHeight * 0.76,
                font,
                fill: fill,
                isRightToLeft: text.isRightToLeft
            )
            top += font.lineHeight
        }
        return top
    }

    /// Draws lines of text, each centered at `x`.
    ///
    /// - Returns: the top of the next line.
    @discardableResult
    mutating func centered(
        _ lines: [String],
        x: Double,
        top: Double,
        _ font: DrawnText.Font,
        fill: String
    ) -> Double {
        var top = top
        for text in lines {
            line(text, x: x, y: top + font.lineHeight * 0.76, font, fill: fill, side: .middle)
            top += font.lineHeight
        }
        return top
    }
}
