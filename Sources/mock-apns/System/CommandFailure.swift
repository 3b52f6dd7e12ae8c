/// The reason why a command fails: a message for the terminal and an exit code.
///
/// Every throwing function here throws it, unless its comment says otherwise.
struct CommandFailure: Error, Equatable {
    /// Exit codes, after `sysexits.h` where it has one.
    enum Status: Int32 {
        /// A request that the API refuses, or an assertion that fails.
        case unmet = 1
        /// Invalid arguments; ArgumentParser uses the same code.
        case usage = 64
        /// An input file is missing or unreadable.
        case noInput = 66
        case unreachable = 69
        case internalError = 70
        case cannotBind = 71
        case cannotWrite = 73
        /// An option, a key or a certificate is invalid.
        case badConfiguration = 78
        /// The command of `exec` cannot be run; the same code as in shells.
        case cannotRun = 126
        /// The command of `exec` is not found; the same code as in shells.
        case noSuchCommand = 127
    }

    let status: Status
    let message: String

    init(_ status: Status, _ message: String) {
        self.status = status
        self.message = message
    }
}
