internal import CMockAPNsShims

/// IPv4 and IPv6 addresses in their shortest form.
enum IPAddressText {
    /// Normalizes an address: dotted decimal with four parts, or the forms of RFC 4291 without a zone.
    static func normalized(_ text: String) -> String? {
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes in
            let count = mockapns_ip_parse(text, bytes.baseAddress)
            return self.text(of: UnsafeBufferPointer(rebasing: bytes[..<Int(count)]))
        }
    }

    /// Returns an address as certificates hold it, 4 or 16 bytes in network order, as text.
    static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let capacity = 64
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            mockapns_ip_print(bytes.baseAddress, CInt(bytes.count), buffer.baseAddress, capacity).map {
                String(cString: $0)
            }
        }
    }
}
