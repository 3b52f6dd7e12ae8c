#if canImport(Glibc)
internal import Glibc
#endif

/// Memory that the program does not need any more.
enum FreeMemory {
    /// Requests with a body of this size leave enough behind to be worth the time.
    static let threshold = 1 << 20

    /// Hands it to the system, where the C library would keep it for itself.
    static func giveBack() {
        #if canImport(Glibc)
        _ = trim?(0)
        #endif
    }

    #if canImport(Glibc)
    /// `malloc_trim`, which Swift's view of the C library leaves out.
    private static let trim: (@convention(c) (Int) -> Int32)? = {
        guard let symbol = dlsym(nil, "malloc_trim") else { return nil }
        return unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
    }()
    #endif
}
