internal import CMockAPNsShims

/// An IPv4 or IPv6 address and its text in the shortest form.
struct IPAddress: Equatable {
    let text: String
    let isVersion6: Bool

    /// Reads an address from text: dotted decimal with four parts, or the forms of RFC 4291 without a zone.
    init?(_ text: String) {
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        let read = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes -> IPAddress? in
            let count = mockapns_ip_parse(text, bytes.baseAddress)
            return IPAddress(bytes: UnsafeBufferPointer(rebasing: bytes[..<Int(count)]))
        }
        guard let read else { return nil }
        self = read
    }

    /// Takes an address as certificates hold it: 4 or 16 bytes in network order.
    init?(bytes: UnsafeBufferPointer<UInt8>) {
        let capacity = 64
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer -> String? in
            mockapns_ip_print(bytes.baseAddress, CInt(bytes.count), buffer.baseAddress, capacity)
                .map { String(cString: $0) }
        }
        guard let text else { return nil }
        self.text = text
        isVersion6 = bytes.count == 16
    }
}
