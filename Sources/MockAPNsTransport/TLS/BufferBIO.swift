internal import CMockAPNsOpenSSL
internal import CMockAPNsShims

/// The BIO through which OpenSSL reads a connection's input and writes its output.
///
/// It has no buffer: reading copies from the bytes of the current read event, and writing appends to the
/// connection's outbound buffer. Neither blocks.
enum BufferBIO {
    // Created once, and only read afterwards.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        let type = BIO_get_new_index() | mockapns_BIO_type_source_sink()
        guard let method = BIO_meth_new(type, "mock-apns buffers") else { return nil }
        BIO_meth_set_read(method, bioRead)
        BIO_meth_set_write(method, bioWrite)
        BIO_meth_set_ctrl(method, bioControl)
        return method
    }()

    /// Creates a BIO for `connection`, which must outlive it; `nil` for lack of memory.
    static func make(for connection: TLSConnection) -> OpaquePointer? {
        guard let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(connection).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }
}

private func bioRead(_ bio: OpaquePointer?, _ target: UnsafeMutablePointer<CChar>?, _ length: CInt) -> CInt {
    mockapns_BIO_clear_retry_flags(bio)
    guard let target, length > 0 else { return 0 }
    let count = Unmanaged<TLSConnection>.fromOpaque(BIO_get_data(bio))._withUnsafeGuaranteedRef {
        $0.takeInbound(into: UnsafeMutableRawPointer(target), at: Int(length))
    }
    guard count > 0 else {
        mockapns_BIO_set_retry_read(bio)
        return -1
    }
    return CInt(count)
}

private func bioWrite(_ bio: OpaquePointer?, _ source: UnsafePointer<CChar>?, _ length: CInt) -> CInt {
    mockapns_BIO_clear_retry_flags(bio)
    guard let source, length > 0 else { return 0 }
    Unmanaged<TLSConnection>.fromOpaque(BIO_get_data(bio))._withUnsafeGuaranteedRef {
        $0.appendOutbound(UnsafeRawBufferPointer(start: source, count: Int(length)))
    }
    return length
}

private func bioControl(
    _ bio: OpaquePointer?, _ command: CInt, _ number: Int, _ pointer: UnsafeMutableRawPointer?
) -> Int { mockapns_BIO_ctrl_is_flush(command) != 0 ? 1 : 0 }
