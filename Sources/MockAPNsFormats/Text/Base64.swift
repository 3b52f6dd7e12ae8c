/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
public enum Base64 {
    /// Decodes `text`.
    ///
    /// Returns `nil` for invalid characters, missing padding or nonzero trailing bits.
    public static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        var digits: [UInt8] = []
        for byte in text.dropLast(padding) {
            switch byte {
            case UInt8(ascii: "+"): digits.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): digits.append(UInt8(ascii: "_"))
            case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
            default: digits.append(byte)
            }
        }
        return digits.withUnsafeBufferPointer(Base64URL.decode)
    }

    /// Decodes Base64 of either alphabet, but not of both, with or without padding; returns whether it was Base64URL.
    public static func decodeAny(_ text: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], isURL: Bool)? {
        if let bytes = Base64URL.decode(text) { return (bytes, true) }
        if let bytes = decode(text) { return (bytes, false) }
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        guard padding > 0 else {
            // The standard alphabet without padding, which `decode` requires.
            let missing = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
            return (text + missing).withUnsafeBufferPointer(decode).map { ($0, false) }
        }
        guard text.count % 4 == 0 else { return nil }
        // The URL alphabet with padding.
        return Base64URL.decode(UnsafeBufferPointer(rebasing: text.dropLast(padding))).map { ($0, false) }
    }

    /// Encodes `bytes`.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = Base64URL.encode(bytes).utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }
}
