import CMockAPNsNghttp2

/// Encodes header blocks as a client does, with HPACK's table of the fields that were sent before.
final class Deflater {
    private let deflater: OpaquePointer

    init?() {
        var deflater: OpaquePointer?
        guard nghttp2_hd_deflate_new(&deflater, 4_096) == 0, let deflater else { return nil }
        self.deflater = deflater
    }

    deinit { nghttp2_hd_deflate_del(deflater) }

    /// Returns the header block of the next request.
    func block(_ fields: [Frame.Field]) -> [UInt8] {
        let texts = fields.map { (Array($0.name.utf8), Array($0.value.utf8)) }
        let flat = texts.flatMap { $0.0 + $0.1 }
        return flat.withUnsafeBufferPointer { bytes in
            var start = UnsafeMutablePointer(mutating: bytes.baseAddress)
            var pairs: [nghttp2_nv] = texts.map { name, value in
                defer { start = start.map { $0 + name.count + value.count } }
                return nghttp2_nv(
                    name: start, value: start.map { $0 + name.count }, namelen: name.count, valuelen: value.count,
                    flags: 0)
            }
            return [UInt8](unsafeUninitializedCapacity: flat.count + 16 * pairs.count + 64) { block, count in
                count = nghttp2_hd_deflate_hd(deflater, block.baseAddress, block.count, &pairs, pairs.count)
            }
        }
    }
}
