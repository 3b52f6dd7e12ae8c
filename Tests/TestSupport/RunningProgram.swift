import Foundation

/// A program that a test has started, with pipes to its standard input, output and error.
///
/// Starts it by `posix_spawn`. Foundation's `Process` is not used: on Linux its `run` reads past the end of a directory
/// entry of `/proc/self/fd` and can crash a process that has thousands of open files.
public final class RunningProgram {
    /// How a program ended.
    public struct Outcome: Sendable {
        /// The exit code, or the number of the signal that ended it.
        public let status: Int32
        /// All of its standard output.
        public let output: Data
        /// All of its standard error.
        public let errors: Data
    }

    /// Why a program could not be started.
    public struct StartFailure: Error, CustomStringConvertible {
        /// What was to be run, and what the system said.
        public let description: String
    }

    /// A program that ends before it has read its input must not end this process too.
    private static let ignoresBrokenPipes: Void = { _ = Foundation.signal(SIGPIPE, SIG_IGN) }()

    /// The process number.
    public let processIdentifier: pid_t
    private var input: Int32?
    private var output: Int32?
    private var errors: Int32?
    private var status: Int32?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: its path, or its name to look for in `PATH`, and its arguments.
    ///   - environment: all its variables; those of this process by default.
    ///   - directory: its working directory; that of this process by default.
    /// - Throws: `StartFailure` when the system cannot start it.
    public init(
        _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment, directory: URL? = nil
    ) throws {
        Self.ignoresBrokenPipes
        // Not every C library can change the directory of a program that it starts.
        let command = directory.map { ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, $0.path] + command } ?? command
        let input = try Pipe()
        let output = try Pipe()
        let errors = try Pipe()
        var attributes = SpawnAttributes()
        var actions = SpawnActions()
        actions.connect(input.reading, to: STDIN_FILENO)
        actions.connect(output.writing, to: STDOUT_FILENO)
        actions.connect(errors.writing, to: STDERR_FILENO)
        actions.closeRest()
        var process: pid_t = 0
        let problem = withCStrings(command) { arguments in
            withCStrings(environment.map { "\($0)=\($1)" }) { variables in
                posix_spawnp(&process, arguments[0]!, &actions.value, &attributes.value, arguments, variables)
            }
        }
        for descriptor in [input.reading, output.writing, errors.writing] { close(descriptor) }
        guard problem == 0 else {
            for descriptor in [input.writing, output.reading, errors.reading] { close(descriptor) }
            throw StartFailure(description: "cannot run \(command): \(String(cString: strerror(problem)))")
        }
        processIdentifier = process
        self.input = input.writing
        self.output = output.reading
        self.errors = errors.reading
    }

    deinit {
        closeInput()
        closeOutput()
        if let errors { close(errors) }
        // A test that failed half-way leaves nothing running.
        if status == nil {
            kill(processIdentifier, SIGKILL)
            wait()
        }
    }

    /// Runs a program to its end.
    public static func run(
        _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment, directory: URL? = nil,
        input: Data = Data()
    ) throws -> Outcome {
        let program = try RunningProgram(command, environment: environment, directory: directory)
        program.write(input)
        return program.finish()
    }

    /// Sends a signal; nothing when the program has been waited for.
    public func signal(_ number: Int32) { if status == nil { kill(processIdentifier, number) } }

    /// Writes to the program's standard input, as far as the program reads it.
    public func write(_ data: Data) {
        guard let input else { return }
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(input, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Ends the program's standard input.
    public func closeInput() {
        if let input { close(input) }
        input = nil
    }

    /// Stops listening to the program's standard output.
    public func closeOutput() {
        if let output { close(output) }
        output = nil
    }

    /// The next line of standard output without its end; what there is when the output ends.
    public func outputLine() -> String { line(of: output) }

    /// The next line of standard error without its end; what there is when the output ends.
    public func errorLine() -> String { line(of: errors) }

    private func line(of descriptor: Int32?) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while let descriptor {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 || byte == 0x0a { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Ends the program's input, reads all that it prints, and waits for its end.
    public func finish() -> Outcome {
        closeInput()
        var texts = [Data(), Data()]
        var polled = [output, errors].map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // Both at a time: a program that fills one pipe while the other is read would wait for good.
        while polled.contains(where: { $0.fd >= 0 }) {
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            for position in polled.indices where polled[position].revents != 0 {
                let count = read(polled[position].fd, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count > 0 { texts[position].append(contentsOf: buffer[..<count]) }
                if count <= 0 { polled[position].fd = -1 }
            }
        }
        return Outcome(status: wait(), output: texts[0], errors: texts[1])
    }

    /// Waits for the program's end.
    ///
    /// - Returns: the exit code, or the number of the signal that ended the program.
    @discardableResult public func wait() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        while waitpid(processIdentifier, &raw, 0) < 0, errno == EINTR {}
        let signal = raw & 0x7f
        let status = signal == 0 ? (raw >> 8) & 0xff : signal
        self.status = status
        return status
    }
}
