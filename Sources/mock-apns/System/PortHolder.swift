/// Finds out who listens on a port, where the system tells.
enum PortHolder {
    /// The process that listens on a TCP port, as `name (pid 123)`; `nil` when it cannot be told.
    static func describe(port: Int) -> String? {
        // /proc/net lists sockets by inode, and each process's descriptors name the inode.
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            guard let inode = listeningInode(port: port, table: table) else { continue }
            for pid in AtomicFile.names(in: "/proc") where Int(pid) != nil {
                for descriptor in AtomicFile.names(in: "/proc/\(pid)/fd")
                where AtomicFile.link(at: "/proc/\(pid)/fd/\(descriptor)") == "socket:[\(inode)]" {
                    let name = (try? AtomicFile.read("/proc/\(pid)/comm")) ?? nil
                    return "\(name?.split(separator: "\n").first ?? "a process") (pid \(pid))"
                }
            }
        }
        return nil
    }

    private static func listeningInode(port: Int, table: String) -> String? {
        let text = (try? AtomicFile.read(table)) ?? nil
        let digits = String(port, radix: 16, uppercase: true)
        let wanted = ":" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        for line in (text ?? "").split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ")
            let isListening = columns.count > 9 && columns[3] == "0A"
            if isListening, columns[1].hasSuffix(wanted) { return String(columns[9]) }
        }
        return nil
    }
}
