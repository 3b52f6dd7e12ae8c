/// Why a command ends without having done its work: one line for the terminal, and an exit code.
struct CommandFailure: Error, Equatable {
    /// Exit codes, after `sysexits.h` where it has one.
    enum Status: Int32 {
        /// Asked for and not met: a request that the API refuses, a server that is not ready.
        case unmet = 1
        /// The command line is off. ArgumentParser leaves with the same code.
        case usage = 64
        /// A file to work on is not there, or cannot be read.
        case noInput = 66
        /// No server answers.
        case unreachable = 69
        /// A fault of this program.
        case internalError = 70
        /// An address cannot be bound.
        case cannotBind = 71
        /// A file cannot be written.
        case cannotWrite = 73
        /// An option, a key or a certificate cannot be used.
        case badConfiguration = 78
        /// The command of `exec` cannot be run; the number is that of shells.
        case cannotRun = 126
        /// There is no such command for `exec`; the number is that of shells.
        case noSuchCommand = 127
    }

    let status: Status
    let message: String

    init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }
}
