internal import CMockAPNsShims

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Memory that the process has freed and the C library keeps for reuse.
public enum FreeMemory {
    /// Returns the memory to the system.
    public static func giveBack() { mockapns_heap_trim() }

    /// Its size in bytes; 0 if the C library does not report it.
    static var size: Int { mockapns_heap_free_bytes() }

    /// The resident memory of the process in bytes; 0 if the system does not report it.
    static var resident: Int {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { text in
            let count = max(0, read(descriptor, text.baseAddress, text.count))
            // The file has "size resident shared ...", in pages.
            let fields = text[..<count].split(separator: 0x20, maxSplits: 2)
            guard fields.count > 1 else { return 0 }
            return fields[1].reduce(0) { $0 * 10 + Int($1 &- 0x30) } * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
    }
}
