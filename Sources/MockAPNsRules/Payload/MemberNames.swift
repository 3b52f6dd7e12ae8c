/// Visits the names in a payload and in its objects without building values, in memory that it only reads.
///
/// For the push path. The text is not validated: names that are written with escapes are visited as written.
enum MemberNames {
    /// Objects and arrays that are nested deeper are skipped.
    private static let deepest = 60

    /// Visits each name with its depth (1 in the payload itself) and the name of the member of the payload that has it.
    static func visit(_ text: ByteSpan, _ use: (_ depth: Int, _ holder: ByteSpan, _ name: ByteSpan) -> Void) {
        var holder = ByteSpan("")
        // A bit for each level: whether it is an object.
        var objects: UInt64 = 0
        var depth = 0
        var expectsName = false
        var at = 0
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "\""):
                let end = end(of: text, from: at + 1)
                if expectsName, depth <= deepest, objects >> depth & 1 == 1 {
                    let name = text.dropFirst(at + 1).prefix(end - at - 1)
                    use(depth, holder, name)
                    if depth == 1 { holder = name }
                    expectsName = false
                }
                at = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = text[at] == UInt8(ascii: "{")
                depth += 1
                if depth <= deepest { objects = objects & ~(1 << depth) | (isObject ? 1 << depth : 0) }
                expectsName = isObject
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                expectsName = false
            case UInt8(ascii: ","): expectsName = depth <= deepest && objects >> depth & 1 == 1
            default: break
            }
            at += 1
        }
    }

    /// Returns the offset of the quote that ends a string.
    private static func end(of text: ByteSpan, from start: Int) -> Int {
        var at = start
        while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(at, text.count)
    }
}
