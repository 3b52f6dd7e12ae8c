internal import CMockAPNsOpenSSL

/// A failure inside OpenSSL.
///
/// Invalid input has its own errors (``KeyError``, ``CertificateError``). Every throwing function of this module may throw
/// this one for other causes: no memory, no randomness, a library built or configured without what is needed.
package struct OpenSSLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was attempted, as the object of "cannot": `make a P-256 key`.
    package let operation: String

    /// The entries of the error queue, oldest first; empty when OpenSSL gave no reason.
    package let messages: [String]

    /// Says what was attempted and why it failed, in one line.
    package var description: String { "OpenSSL cannot \(operation): \(reasons(or: "it gave no reason"))" }

    /// The messages in one line, or `other` if there are none.
    func reasons(or other: String) -> String { messages.isEmpty ? other : messages.joined(separator: "; ") }

    /// Throws unless a call succeeded.
    static func check(_ isSuccess: Bool, _ operation: String) throws(OpenSSLError) {
        if !isSuccess { throw drain(operation) }
    }

    /// Returns the object that a call made; throws if it made none.
    static func check<Value>(_ made: Value?, _ operation: String) throws(OpenSSLError) -> Value {
        guard let made else { throw drain(operation) }
        return made
    }

    /// Reads this thread's error queue and leaves it empty.
    static func drain(_ operation: String) -> OpenSSLError {
        var messages: [String] = []
        var detail: UnsafePointer<CChar>?
        var flags: CInt = 0
        while true {
            let code = ERR_get_error_all(nil, nil, nil, &detail, &flags)
            guard code != 0 else { break }
            var message = text(of: code)
            if flags & ERR_TXT_STRING != 0, let detail, detail.pointee != 0 {
                message += " (\(String(cString: detail)))"
            }
            messages.append(message)
        }
        return OpenSSLError(operation: operation, messages: messages)
    }

    private static func text(of code: UInt) -> String {
        let capacity = 256
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            ERR_error_string_n(code, buffer.baseAddress, capacity)
            return String(cString: buffer.baseAddress!)
        }
    }
}

/// Runs `body` on an empty error queue and leaves it empty.
///
/// The queue belongs to the thread, not to a call, and a TLS connection on the same thread reads leftovers as
/// its own failures. So every public function of this module that calls OpenSSL uses this one.
func withErrorQueue<Value: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return try body()
}
