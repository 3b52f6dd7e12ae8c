internal import CMockAPNsOpenSSL
internal import CMockAPNsShims

/// An OpenSSL memory BIO: how text goes into and comes out of OpenSSL.
struct MemoryBIO: ~Copyable {
    let pointer: OpaquePointer

    /// An empty BIO to write to.
    init() throws(OpenSSLError) {
        guard let pointer = BIO_new(BIO_s_mem()) else { throw OpenSSLError.drain("allocate a buffer") }
        self.pointer = pointer
    }

    /// A BIO to read a copy of `text` from; the caller has limited its length.
    static func reading(_ text: String) throws(OpenSSLError) -> MemoryBIO {
        let bio = try MemoryBIO()
        var text = text
        let written = text.withUTF8 { bytes in
            bytes.isEmpty || BIO_write(bio.pointer, bytes.baseAddress, CInt(bytes.count)) == CInt(bytes.count)
        }
        guard written else { throw OpenSSLError.drain("fill a buffer") }
        return bio
    }

    deinit { BIO_free(pointer) }

    /// The text of what was written and not yet read.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// What was written and not yet read.
    var bytes: [UInt8] {
        var data: UnsafePointer<CChar>?
        let count = mockapns_BIO_get_mem_data(pointer, &data)
        guard let data, count > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: count))
    }
}
