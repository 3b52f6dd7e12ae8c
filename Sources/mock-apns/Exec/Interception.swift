internal import CMockAPNsIntercept

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Starts a command whose connections to Apple's push hosts go to a server.
struct Interception: Sendable {
    let routes: HostRoutes
    /// Whether all programs find the hosts in /etc/hosts, instead of asking a name server for them.
    let showsHostsFile: Bool

    /// Starts the command, which is not empty; its system calls are answered until the end of this process.
    ///
    /// - Returns: The process.
    func start(_ command: [String], environment: [String: String], defaultSignals: [Int32]) throws -> pid_t {
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        let rows = routes.routes.map {
            mockapns_intercept_route(
                host: $0.host, target_host: $0.listener.host, port: $0.port, target_port: $0.listener.port)
        }
        let names = HostRoutes.names.map {
            mockapns_intercept_name(name: UnsafePointer(strdup($0.name)), address: $0.address)
        }
        defer { for name in names { free(UnsafeMutablePointer(mutating: name.name)) } }
        var hosts = HostRoutes.hosts
        var process: pid_t = 0
        var error: Int32 = 0
        let step = hosts.withUTF8 { hosts in
            arguments.withUnsafeBufferPointer { arguments in
                variables.withUnsafeBufferPointer { variables in
                    rows.withUnsafeBufferPointer { rows in
                        names.withUnsafeBufferPointer { names in
                            defaultSignals.withUnsafeBufferPointer { signals in
                                var plan = mockapns_intercept_plan(
                                    arguments: arguments.baseAddress, environment: variables.baseAddress,
                                    default_signals: signals.baseAddress, default_signal_count: signals.count,
                                    routes: rows.baseAddress, route_count: rows.count,
                                    hosts: UnsafeRawPointer(hosts.baseAddress)?.assumingMemoryBound(to: CChar.self),
                                    hosts_size: hosts.count, names: names.baseAddress, name_count: names.count,
                                    reports_opens: showsHostsFile)
                                return mockapns_intercept_start(&plan, &process, &error)
                            }
                        }
                    }
                }
            }
        }
        if step == MOCKAPNS_INTERCEPT_EXECUTION { throw ChildProcess.cannotRun(command[0], error) }
        guard step == MOCKAPNS_INTERCEPT_STARTED else { throw Self.refusal(step, error) }
        return process
    }

    /// Shows the hosts in the way that was asked for, or else in the one that costs less if it is possible here.
    init(_ routes: HostRoutes, showsHostsFile: Bool, environment: [String: String]) {
        self.routes = routes
        // The relay finds the sockets of resolvers there.
        let hasProcesses = SystemFacts.exists("/proc/self/fd")
        // A file that cannot be read says nothing, so all programs see the hosts.
        let lookups = try? NameLookups(environment: environment)
        self.showsHostsFile = showsHostsFile || !hasProcesses || lookups?.asksNameServers != true
    }

    /// Lets processes that outlive the command go on without this process; call it last.
    static func leave() { _ = mockapns_intercept_leave() }

    /// Why this system cannot do it, and what can be done instead.
    static func refusal(_ step: mockapns_intercept_step, _ error: Int32) -> CommandFailure {
        if step == MOCKAPNS_INTERCEPT_FILTER, error == EBUSY {
            // The kernel refuses it: the outer one would get all calls.
            return CommandFailure(
                .badConfiguration,
                "--intercept is not possible below another one, because Linux permits one for a process: leave one"
                    + " of them out; a command of exec finds its server in \(ExecVariable.url.rawValue), too")
        }
        let reason = SystemFacts.describe(errno: error)
        let missing =
            switch (step, error) {
            case (MOCKAPNS_INTERCEPT_PLATFORM, _): "it needs Linux on x86-64 or aarch64"
            case (MOCKAPNS_INTERCEPT_FILTER, EINVAL), (MOCKAPNS_INTERCEPT_FILTER, ENOSYS),
                (MOCKAPNS_INTERCEPT_FILES, _):
                "this kernel (\(SystemFacts.kernel)) has no seccomp notifications, which Linux 5.9 has (\(reason))"
            case (MOCKAPNS_INTERCEPT_FILTER, _): "a container or a sandbox forbids seccomp filters (\(reason))"
            case (MOCKAPNS_INTERCEPT_MEMORY, _):
                "a container or kernel.yama.ptrace_scope forbids access to a child's memory (\(reason))"
            default: "the command could not be started (\(reason))"
            }
        return CommandFailure(
            .badConfiguration,
            "--intercept is not possible here: \(missing); use a hosts entry, a network alias or the library's"
                + " option for the host instead, see docs/intercept.md")
    }
}
