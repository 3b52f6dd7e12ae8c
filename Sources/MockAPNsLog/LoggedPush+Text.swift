package import MockAPNsWorld

extension LoggedPush {
    /// Whether a database can keep bytes as text: they are UTF-8 without U+0000.
    package static func isText(_ bytes: [UInt8]) -> Bool {
        guard !bytes.contains(0) else { return false }
        return bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }
}
