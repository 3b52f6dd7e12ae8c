internal import CMockAPNsOpenSSL
internal import CMockAPNsShims

/// An OpenSSL memory BIO: how text goes into and comes out of OpenSSL.
struct MemoryBIO: ~Copyable {
    let pointer: OpaquePointer

    /// An empty BIO to write to.
    init() throws(OpenSSLError) { pointer = try OpenSSLError.check(BIO_new(BIO_s_mem()), "allocate a buffer") }

    /// A BIO to read a copy of `text` from; the caller has limited its length.
    static func reading(_ text: String) throws(OpenSSLError) -> MemoryBIO {
        let bio = try MemoryBIO()
        var text = text
        let written = text.withUTF8 { bytes in
            bytes.isEmpty || BIO_write(bio.pointer, bytes.baseAddress, CInt(bytes.count)) == CInt(bytes.count)
        }
        try OpenSSLError.check(written, "fill a buffer")
        return bio
    }

    /// Returns the text that `write` writes; it returns whether it succeeded.
    static func text(_ operation: String, _ write: (OpaquePointer) -> Bool) throws(OpenSSLError) -> String {
        let bio = try MemoryBIO()
        try OpenSSLError.check(write(bio.pointer), operation)
        return String(decoding: bio.bytes, as: UTF8.self)
    }

    deinit { BIO_free(pointer) }

    /// What was written and not yet read.
    var bytes: [UInt8] {
        var data: UnsafePointer<CChar>?
        let count = mockapns_BIO_get_mem_data(pointer, &data)
        guard let data, count > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: count))
    }
}
