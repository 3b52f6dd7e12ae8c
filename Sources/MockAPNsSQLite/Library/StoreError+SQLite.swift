internal import CMockAPNsSQLite
internal import MockAPNsLog

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension StoreError {
    /// Creates an error from an extended result code of SQLite for a file.
    ///
    /// `system` is the system's error number, or 0.
    init(sqlite code: CInt, _ message: String, system: CInt, path: String) {
        let seen = system == 0 || code & 0xff == SQLITE_CORRUPT ? message : "\(message): \(Self.text(system))"
        switch (code & 0xff, system) {
        case (SQLITE_CANTOPEN, EMFILE), (SQLITE_CANTOPEN, ENFILE):
            self.init(.failed, "cannot open \(path): \(Self.text(system)); \(Self.moreFiles)")
        case (_, EISDIR): self.init(.damaged, "\(path) is a directory; move it away to start with an empty world")
        case (SQLITE_FULL, _), (SQLITE_IOERR, ENOSPC), (SQLITE_IOERR, EDQUOT):
            self.init(.full, "cannot write \(path): \(message); free some space on its disk")
        case (SQLITE_IOERR, _) where code == Self.shortRead:
            let fix = "restore a copy, or move the file away to start with an empty world"
            self.init(.damaged, "\(path) is damaged: it is shorter than its contents; \(fix)")
        case (SQLITE_READONLY, _), (SQLITE_CANTOPEN, _), (SQLITE_PERM, _), (SQLITE_IOERR, EROFS),
            (SQLITE_IOERR, EACCES):
            let fix = "make the file and its directory writable for this user"
            self.init(.noAccess, "cannot open or write \(path): \(seen); \(fix)")
        case (SQLITE_CORRUPT, _), (SQLITE_NOTADB, _):
            let fix = "restore a copy, or move the file away to start with an empty world"
            self.init(.damaged, "\(path) is damaged: \(message); \(fix)")
        case (SQLITE_ERROR, _), (SQLITE_SCHEMA, _), (SQLITE_CONSTRAINT, _), (SQLITE_MISMATCH, _):
            // The statements are constant, so the tables are not what they were, or have triggers.
            self.init(.damaged, "\(path) was changed by another program: \(message); restore a copy of the file")
        case (SQLITE_BUSY, _), (SQLITE_LOCKED, _):
            self.init(.inUse, "\(path) is in use by another program: \(message); close the program")
        default:
            let fix = "check its disk, then restart mock-apns"
            self.init(.failed, "cannot use \(path): \(seen) (SQLite error \(code)); \(fix)")
        }
    }

    /// Creates the error of a file that no longer has what was written to it.
    init(damagedInUse path: String, _ seen: String) {
        let fix = "stop mock-apns, then restore a copy of the database, or restart mock-apns with what is left"
        self.init(.lost, "\(path) was damaged or truncated while in use: \(seen); \(fix)")
    }

    /// Returns the error of a failed system call, from `errno`.
    static func system(_ action: String, _ path: String) -> StoreError {
        let number = errno
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT: .full
            case EACCES, EPERM, EROFS, ENOENT, ENOTDIR: .noAccess
            default: .failed
            }
        let fix =
            switch number {
            case EMFILE, ENFILE: moreFiles
            case ENOSPC, EDQUOT: "free some space on its disk"
            case EACCES, EPERM: "make it and its directory writable for this user"
            case ENOENT, ENOTDIR, EROFS: "choose another directory"
            default: "check its disk"
            }
        return StoreError(code, "cannot \(action) \(path): \(text(number)); \(fix)")
    }

    /// `SQLITE_IOERR_SHORT_READ`, a macro that Swift does not import.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    private static let moreFiles = "raise the limit of open files (ulimit -n), or remove namespaces with a port"

    private static func text(_ number: CInt) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
