/// What files can be the icon of an app.
///
/// Browsers show icons, so a file must be what it says: a complete PNG file of a limited size, with correct checksums.
public enum AppIcon {
    /// The maximum size of a file in bytes.
    public static let bytes = 64 << 10
    /// The maximum width and height, because a small file can have a large picture.
    public static let side = 1_024

    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    /// The chunks that a decoder must understand (PNG specification, 5.6).
    private static let critical = ["IHDR", "PLTE", "IDAT", "IEND"]

    /// Says why a file cannot be an icon, to follow "is"; `nil` if it can.
    public static func flaw(in file: [UInt8]) -> String? {
        guard file.starts(with: signature) else { return "not a PNG file" }
        guard file.count <= bytes else { return "a file of \(file.count) bytes" }
        var (rest, types): (ArraySlice<UInt8>, [String]) = (file.dropFirst(signature.count), [])
        // Each chunk has its length, its type, its data, and a checksum of type and data (PNG specification, 5.3).
        while types.last != "IEND" {
            guard rest.count >= 12 else { return "a PNG file that is cut short" }
            let length = number(rest.prefix(4))
            guard length <= rest.count - 12 else { return "a PNG file that is cut short" }
            let covered = rest.dropFirst(4).prefix(4 + length)
            let type = String(decoding: covered.prefix(4), as: UTF8.self)
            guard number(rest.dropFirst(8 + length).prefix(4)) == checksum(covered) else {
                return "a damaged PNG file: the checksum of a chunk is wrong"
            }
            let isCritical = covered[covered.startIndex] & 0x20 == 0
            guard !isCritical || critical.contains(type), types.isEmpty == (type == "IHDR"), type != "acTL" else {
                return "a PNG file with an unexpected or animated chunk"
            }
            if type == "IHDR" {
                guard length == 13 else { return "a damaged PNG file: its header has \(length) bytes" }
                let sides = (number(covered.dropFirst(4).prefix(4)), number(covered.dropFirst(8).prefix(4)))
                guard (1...side).contains(sides.0), (1...side).contains(sides.1) else {
                    return "an image of \(sides.0) × \(sides.1) pixels"
                }
            }
            types.append(type)
            rest = rest.dropFirst(12 + length)
        }
        guard types.contains("IDAT") else { return "a PNG file without an image" }
        return rest.isEmpty ? nil : "a PNG file that is followed by something else"
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// CRC-32 (PNG specification, annex D).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
        let remainder = bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xedb8_8320) }
        }
        return Int(~remainder)
    }
}
