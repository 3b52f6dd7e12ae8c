internal import MockAPNsFormats

struct Box {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var midX: Double { x + width / 2 }
    var midY: Double { y + height / 2 }
    var maxX: Double { x + width }
    var maxY: Double { y + height }

    /// Returns the rectangle with all edges moved inwards, or outwards for a negative distance.
    func inset(by distance: Double) -> Box {
        Box(x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
    }

    /// Returns the smallest rectangle that contains both.
    func union(_ other: Box) -> Box {
        let (x, y) = (min(x, other.x), min(y, other.y))
        return Box(x: x, y: y, width: max(maxX, other.maxX) - x, height: max(maxY, other.maxY) - y)
    }

    func intersection(_ other: Box) -> Box {
        let (x, y) = (max(x, other.x), max(y, other.y))
        return Box(x: x, y: y, width: min(maxX, other.maxX) - x, height: min(maxY, other.maxY) - y)
    }
}

/// A canvas that draws shapes and text as SVG, in the colors of an appearance.
struct PreviewCanvas {
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

    let palette: PreviewAppearance
    /// Whether only the notification remains of the picture.
    let isCropped: Bool
    private(set) var svg = SVGWriter()
    private(set) var definitions = SVGWriter()
    /// The notification's place in the picture, once it is drawn.
    private(set) var subject: Box?
    private var lastID = 0

    init(_ appearance: PreviewAppearance, isCropped: Bool = false) {
        palette = appearance
        self.isCropped = isCropped
    }

    mutating func rect(_ box: Box, radius: Double = 0, fill: String, opacity: Double = 1) {
        svg.rect(box, radius: radius, ["fill": fill, "fill-opacity": opacity])
    }

    mutating func outline(
        _ box: Box, radius: Double, stroke: String, width: Double, opacity: Double = 1, dashes: String = "none"
    ) {
        let style: SVGWriter.Attributes = [
            "fill": "none", "stroke": stroke, "stroke-width": width, "stroke-opacity": opacity,
            "stroke-dasharray": dashes,
        ]
        svg.rect(box, radius: radius, style)
    }

    mutating func circle(x: Double, y: Double, radius: Double, fill: String, opacity: Double = 1) {
        svg.element("circle", ["cx": x, "cy": y, "r": radius, "fill": fill, "fill-opacity": opacity])
    }

    mutating func path(_ path: String, fill: String = "none", stroke: String = "none", width: Double = 0) {
        let attributes: SVGWriter.Attributes = [
            "d": path, "fill": fill, "stroke": stroke, "stroke-width": width, "stroke-linecap": "round",
            "stroke-linejoin": "round",
        ]
        svg.element("path", attributes)
    }

    /// Clips the drawing to a rounded box, so that no text can overflow it.
    mutating func clipped(to box: Box, radius: Double = 0, _ draw: (inout PreviewCanvas) -> Void) {
        let id = nextID("clip")
        definitions.open("clipPath", ["id": id])
        definitions.rect(box, radius: radius)
        definitions.close("clipPath")
        svg.open("g", ["clip-path": "url(#\(id))"])
        draw(&self)
        svg.close("g")
    }

    /// Draws a PNG file, which becomes a part of the picture.
    mutating func image(_ png: [UInt8], in box: Box, radius: Double) {
        clipped(to: box, radius: radius) { canvas in
            let attributes: SVGWriter.Attributes = [
                "x": box.x, "y": box.y, "width": box.width, "height": box.height,
                "preserveAspectRatio": "xMidYMid slice", "href": "data:image/png;base64," + Base64.encode(png),
            ]
            canvas.svg.element("image", attributes)
        }
    }

    /// Adds to what a cropped picture shows.
    mutating func mark(_ box: Box) { subject = subject?.union(box) ?? box }

    /// Clips everything drawn so far to a rounded box.
    mutating func crop(to box: Box, radius: Double) {
        let drawn = svg
        svg = SVGWriter()
        clipped(to: box, radius: radius) { $0.svg.append(drawn) }
    }

    mutating func gradient(_ colors: [String]) -> String {
        let id = nextID("fill")
        definitions.open("linearGradient", ["id": id, "x1": 0, "y1": 0, "x2": 0, "y2": 1])
        for (position, color) in colors.enumerated() {
            let offset = Double(position) / Double(max(1, colors.count - 1))
            definitions.element("stop", ["offset": offset, "stop-color": color])
        }
        definitions.close("linearGradient")
        return "url(#\(id))"
    }

    /// Defines a radial gradient that fades out from the center and returns it as a fill.
    mutating func glow(_ color: String, opacity: Double) -> String {
        let id = nextID("glow")
        definitions.open("radialGradient", ["id": id])
        definitions.element("stop", ["offset": 0, "stop-color": color, "stop-opacity": opacity])
        definitions.element("stop", ["offset": 1, "stop-color": color, "stop-opacity": 0])
        definitions.close("radialGradient")
        return "url(#\(id))"
    }

    /// Draws a card's ground and shadow, which are translucent.
    mutating func ground(_ box: Box, radius: Double = 24) {
        var shadow = box
        shadow.y += 2
        rect(shadow, radius: radius, fill: "#000000", opacity: 0.1)
        rect(box, radius: radius, fill: palette.card, opacity: palette.cardOpacity)
        outline(box, radius: radius, stroke: "#ffffff", width: 0.75, opacity: palette.edgeOpacity)
    }

    mutating func card(_ box: Box, radius: Double = 24, _ draw: (inout PreviewCanvas) -> Void) {
        ground(box, radius: radius)
        clipped(to: box, radius: radius, draw)
    }

    private mutating func nextID(_ word: String) -> String {
        lastID += 1
        return "\(word)\(lastID)"
    }

    /// Draws one line of text with its baseline at `y`.
    mutating func line(
        _ text: String, x: Double, y: Double, _ font: DrawnText.Font, fill: String, side: Side = .start,
        isRightToLeft: Bool = false
    ) {
        guard !text.isEmpty else { return }
        let attributes: SVGWriter.Attributes = [
            "x": x, "y": y, "font-size": font.size, "font-weight": font.isBold ? 600 : 400, "fill": fill,
            "text-anchor": side.rawValue, "direction": isRightToLeft ? "rtl" : "ltr",
        ]
        svg.element("text", attributes, text: text)
    }

    /// Draws a block of text and returns its bottom edge.
    ///
    /// Its lines begin at `x`, end at the block's other edge if they run from right to left, or are centered at `x`.
    @discardableResult mutating func block(
        _ block: TextBlock, x: Double, top: Double, fill: String, side: Side = .start
    ) -> Double {
        let isRightToLeft = block.isRightToLeft && side == .start
        let edge = isRightToLeft ? x + block.width : x
        for (position, text) in block.lines.enumerated() {
            let y = top + (Double(position) + 0.76) * block.font.lineHeight
            line(text, x: edge, y: y, block.font, fill: fill, side: side, isRightToLeft: isRightToLeft)
        }
        return top + block.height
    }
}
