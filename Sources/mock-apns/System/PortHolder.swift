internal import FoundationEssentials

/// Finds the process that listens on a port, where the system tells.
enum PortHolder {
    /// The process that listens on a TCP port, as `name (pid 123)`; `nil` when it cannot be determined.
    static func describe(port: Int) -> String? {
        // /proc/net lists sockets by inode, and each process's descriptors name the inode.
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            guard let inode = listeningInode(port: port, table: table) else { continue }
            for process in AtomicFile.names(in: "/proc") where Int(process) != nil {
                for descriptor in AtomicFile.names(in: "/proc/\(process)/fd") {
                    let link = "/proc/\(process)/fd/\(descriptor)"
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
                    guard target == "socket:[\(inode)]" else { continue }
                    let name = (try? AtomicFile.text(at: "/proc/\(process)/comm")) ?? nil
                    return "\(name?.split(separator: "\n").first ?? "a process") (pid \(process))"
                }
            }
        }
        return nil
    }

    private static func listeningInode(port: Int, table: String) -> String? {
        let text = (try? AtomicFile.text(at: table)) ?? nil
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
