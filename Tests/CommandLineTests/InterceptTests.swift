import CMockAPNsIntercept
import Foundation
import MockAPNs
import Testing

@testable import mock_apns

/// What `--intercept` needs besides clients: the table of hosts, and errors.
@Suite struct InterceptTests {
    private typealias Listener = HostRoutes.Listener

    private func configuration(_ listeners: String...) throws -> Configuration {
        var configuration = Configuration()
        configuration.listeners = try listeners.map { try ListenAddress(parsing: $0) }
        HostRoutes.complete(&configuration)
        return configuration
    }

    @Test func `every host has an address, and is in the certificate`() {
        let lines = HostRoutes.hosts.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.count == AppleHost.all.count && lines.count > 10)
        #expect(lines.map(\.last) == AppleHost.all.map(\.name))
        #expect(Set(lines.map(\.first)).count == lines.count)
        #expect(lines.first?.first == "127.197.0.1")
        #expect(Set(ServerCertificate.standardNames).isSuperset(of: AppleHost.all.map(\.name)))
        #expect(AppleHost.all.allSatisfy { $0.name.hasSuffix(".push.apple.com") && !$0.ports.isEmpty })
    }

    @Test func `exec adds the listeners that are missing`() throws {
        let plain = try configuration("127.0.0.1:0")
        #expect(plain.listeners.map(\.environment) == [.sandbox, .production])
        #expect(plain.channelListeners.map(\.environment) == [.production, .sandbox])
        #expect(plain.binaryListeners.map(\.interface) == [.gateway, .gateway, .feedback, .feedback])
        // Without TLS, or with an IPv6 address only, a listener cannot serve a host.
        let own = try configuration("h2c://127.0.0.1:1", "[::1]:2", "0.0.0.0:3?environment=production")
        #expect(own.listeners.map(\.description).prefix(3).last == "0.0.0.0:3?environment=production")
        #expect(own.listeners.dropFirst(3).map(\.description) == ["127.0.0.1:0"])
    }

    @Test func `each host and port leads to the listener of its environment`() throws {
        let listeners = [
            Listener(offer: .pushes, environment: .sandbox, host: 1, port: 10),
            Listener(offer: .pushes, environment: .production, host: 1, port: 20),
            Listener(offer: .channels, environment: .production, host: 1, port: 30),
            Listener(offer: .gateway, environment: .sandbox, host: 1, port: 40),
        ]
        let routes = HostRoutes(to: listeners)
        #expect(routes.missing == [] && routes.warning == nil)
        func ports(_ name: String) throws -> [UInt16: UInt16] {
            let index = try #require(AppleHost.all.firstIndex { $0.name == "\(name).push.apple.com" })
            let own = routes.routes.filter { $0.host == 0x7fc5_0001 + UInt32(index) }
            return Dictionary(own.map { ($0.port, $0.listener.port) }) { first, _ in first }
        }
        #expect(try ports("api") == [443: 20, 2_197: 20])
        #expect(try ports("api.sandbox") == [443: 10, 2_197: 10])
        #expect(try ports("api.development") == [443: 10, 2_197: 10])
        #expect(try ports("api-broadcast.sandbox") == [443: 10, 2_197: 10])
        #expect(try ports("api-manage-broadcast") == [2_196: 30])
        // A listener for pushes serves channels, too.
        #expect(try ports("api-manage-broadcast.sandbox") == [2_195: 10])
        #expect(try ports("gateway.sandbox") == [2_195: 40])
        #expect(try ports("gateway") == [:])
    }

    @Test func `a server without a listener for production says which hosts are refused`() throws {
        let sandbox = Listener(offer: .pushes, environment: .sandbox, host: 1, port: 10)
        let warning = try #require(HostRoutes(to: [sandbox]).warning)
        #expect(warning.contains("api.push.apple.com, api-broadcast.push.apple.com are refused"), "\(warning)")
        #expect(warning.contains("--apns-listen '127.0.0.1:0?environment=production'"))
    }

    @Test(
        arguments: [
            ("127.0.0.1", 0x7f00_0001), ("10.1.2.3", 0x0a01_0203), ("0.0.0.0", 7), ("::", 7), ("::1", nil),
            ("localhost", nil), ("1.2.3", nil), ("1.2.3.256", nil), ("1..2.3", nil),
        ] as [(String, UInt32?)]) func `only listeners on IPv4 can stand in for Apple's hosts`(
            _ text: String, _ address: UInt32?
        )
    { #expect(HostRoutes.ipv4(text, everywhere: 7) == address) }

    @Test(arguments: [
        (MOCKAPNS_INTERCEPT_PLATFORM, ENOSYS, "it needs Linux on x86-64 or aarch64"),
        (MOCKAPNS_INTERCEPT_FILTER, ENOSYS, "has no seccomp notifications, which Linux 5.9 has"),
        (MOCKAPNS_INTERCEPT_FILTER, EINVAL, "has no seccomp notifications, which Linux 5.9 has"),
        (MOCKAPNS_INTERCEPT_FILES, EINVAL, "has no seccomp notifications, which Linux 5.9 has"),
        (MOCKAPNS_INTERCEPT_FILTER, EPERM, "a container or a sandbox forbids seccomp filters"),
        (MOCKAPNS_INTERCEPT_MEMORY, EPERM, "kernel.yama.ptrace_scope forbids access to a child's memory"),
        (MOCKAPNS_INTERCEPT_PROCESS, EAGAIN, "the command could not be started"),
    ]) func `an unsupported system is reported with what is missing and what to do`(
        _ step: mockapns_intercept_step, _ error: Int32, _ words: String
    ) {
        let failure = Interception.refusal(step, error)
        #expect(failure.status.rawValue == 78)
        #expect(failure.message.hasPrefix("--intercept is not possible here: "))
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(failure.message.contains("use a hosts entry, a network alias or the library's option"))
        #expect(!failure.message.contains("\n"))
    }

    @Test func `the kernel has a name and a version`() { #expect(SystemFacts.kernel.split(separator: " ").count == 2) }
}

#if os(Linux)
/// `exec --intercept` with commands that need no client library.
@Suite struct InterceptedCommandTests {
    private func shell(_ script: String, _ more: [String] = []) throws -> Program.Outcome {
        try Program(["exec", "--intercept"] + more + ["--", "sh", "-c", script]).finish()
    }

    private func python(_ script: String, _ more: [String] = []) throws -> Program.Outcome {
        try Program(["exec", "--intercept"] + more + ["--", "python3", "-c", script]).finish()
    }

    @Test(arguments: [("exit 0", 0), ("exit 3", 3), ("kill -KILL $$", 137), ("kill -TERM $$", 143)])
    func `the exit code is that of the command`(_ script: String, _ code: Int32) throws {
        let outcome = try shell(script)
        #expect(outcome.status == code && outcome.output == "", "\(outcome)")
        #expect(outcome.errors.isEmpty == (code == 0), "\(outcome)")
    }

    @Test(arguments: [
        (["no-such-command-here"], 127, "cannot run 'no-such-command-here': no such file or directory"),
        (["/"], 126, "cannot run '/': permission denied"),
        ([], 64, "missing command: expected one after --, such as mock-apns exec -- npm test"),
    ]) func `reports a command that cannot be run`(_ command: [String], _ code: Int32, _ words: String) throws {
        let outcome = try Program.run(["exec", "--intercept", "--"] + command)
        #expect(outcome.status == code && outcome.errors == "mock-apns: \(words)\n", "\(outcome)")
    }

    @Test func `the command gets signals, and inherits nothing of the server`() throws {
        let program = try Program([
            "exec", "--intercept", "--", "python3", "-c",
            """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
            files = [os.readlink("/proc/self/fd/" + name) for name in os.listdir("/proc/self/fd")
                     if os.path.exists("/proc/self/fd/" + name)]
            print("ready", [file for file in files if "socket" in file or "seccomp" in file], flush=True)
            signal.sigwait([signal.SIGTERM])
            sys.exit(42)
            """,
        ])
        #expect(program.line() == "ready []")
        program.terminate()
        #expect(program.finish().status == 42)
    }

    @Test func `names, addresses and files are as the machine has them, besides Apple's hosts`() throws {
        let outcome = try shell(
            """
            head -c 11 /etc/hosts; echo
            tail -n +12 /etc/hosts | cmp - "$ORIGINAL" && echo same
            (read -r first; cat) < /etc/hosts | head -1
            echo more >> /etc/hosts.mock-apns-test 2> /dev/null || true
            cat /etc/hostname > /dev/null && echo other
            """.replacingOccurrences(of: "$ORIGINAL", with: try copyOfHosts()))
        #expect(outcome.status == 0, "\(outcome)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines == ["127.197.0.1", "same", "127.197.0.2 api.sandbox.push.apple.com", "other"])
    }

    /// Python opens files with O_CLOEXEC, as the C library and Go do, and those cost nothing by default.
    @Test(arguments: [([], false), (["--hosts-file"], true)] as [([String], Bool)])
    func `all programs see Apple's hosts in the file if this is asked for`(_ more: [String], _ isSeen: Bool) throws {
        let script = """
            import socket
            print("push.apple.com" in open("/etc/hosts").read())
            print(socket.gethostbyname("api.push.apple.com"))
            """
        let outcome = try python(script, more)
        #expect(outcome.output == "\(isSeen ? "True" : "False")\n127.197.0.1\n", "\(outcome)")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
    }

    @Test func `the hosts file is not shown without interception`() throws {
        let outcome = try Program.run(["exec", "--hosts-file", "--", "true"])
        #expect(outcome.status == 64)
        #expect(outcome.errors == "mock-apns: --hosts-file has no effect without --intercept: add --intercept\n")
    }

    /// A resolver of the C library, of Go, and one that compares addresses.
    @Test(arguments: [("IPPROTO_IP, 11", true), ("SOL_SOCKET, socket.SO_BROADCAST", true), ("IPPROTO_IP, 1", false)])
    func `questions of resolvers that take answers from anywhere are answered`(
        _ option: String, _ isAnswered: Bool
    ) throws {
        let script = """
            import socket
            asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            asking.setsockopt(socket.\(option), 1)
            asking.connect(("127.0.0.1", 53))
            print(asking.getpeername()[1] != 53)
            if asking.getpeername()[1] != 53:
                asking.send(bytes.fromhex("000101000001000000000000") + b"\\x03api\\x04push\\x05apple\\x03com\\0\\0\\1\\0\\1")
                print(socket.inet_ntoa(asking.recv(512)[-4:]))
            """
        let outcome = try python(script)
        #expect(outcome.output == (isAnswered ? "True\n127.197.0.1\n" : "False\n"), "\(outcome)")
    }

    /// As the C library does for an IPv6 name server; the memory of the first look-up names the relay in the second.
    @Test func `questions over IPv6 are answered, and in the same socket's place twice`() throws {
        let script = """
            import ctypes, socket, struct
            libc = ctypes.CDLL(None, use_errno=True)
            address = ctypes.create_string_buffer(struct.pack("=HHI16sI", socket.AF_INET6, socket.htons(53), 0,
                                                              socket.inet_pton(socket.AF_INET6, "fd00::53"), 0), 28)
            for _ in range(2):
                asking = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                asking.setsockopt(socket.IPPROTO_IPV6, 25, 1)
                assert libc.connect(asking.fileno(), address, 28) == 0, ctypes.get_errno()
                asking.send(bytes.fromhex("000101000001000000000000") + b"\\x03api\\x04push\\x05apple\\x03com\\0\\0\\1\\0\\1")
                print(asking.getpeername()[0], socket.inet_ntoa(asking.recv(512)[-4:]))
            """
        let line = "::ffff:127.0.0.1 127.197.0.1\n"
        let outcome = try python(script)
        #expect(outcome.output == line + line, "\(outcome)")
    }

    /// The machine's file, under another name.
    private func copyOfHosts() throws -> String {
        let path = NSTemporaryDirectory() + "mock-apns-hosts-\(UUID().uuidString)"
        let text = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? ""
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func `connections of 200 threads arrive, and children that are killed while they wait change nothing`() throws
    {
        let outcome = try python(
            """
            import os, signal, socket, subprocess, sys, threading
            arrived = []
            def connect(number):
                host = "api.push.apple.com" if number % 2 else "api.sandbox.push.apple.com"
                with socket.create_connection((host, 443 if number % 3 else 2197)) as connection:
                    arrived.append(connection.getpeername())
            busy = "import socket\\nwhile True:\\n  open('/etc/hosts').close()\\n  socket.create_connection(('gateway.push.apple.com', 2195)).close()"
            children = [subprocess.Popen([sys.executable, "-c", busy]) for _ in range(4)]
            threads = [threading.Thread(target=connect, args=(number,)) for number in range(200)]
            for thread in threads: thread.start()
            for number in range(40):
                child = children[number % 4]
                child.kill(); child.wait()
                children[number % 4] = subprocess.Popen([sys.executable, "-c", busy])
            for thread in threads: thread.join()
            for child in children: child.kill(); child.wait()
            print(len(arrived), len(set(arrived)), {host for host, _ in arrived})
            """, ["--quiet"])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output == "200 2 {'127.0.0.1'}\n", "\(outcome)")
    }

    @Test func `daemons remain children, and go on when the command has ended`() throws {
        let directory = NSTemporaryDirectory() + "mock-apns-daemon-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(mkfifo("\(directory)/go", 0o600) == 0)
        let outcome = try python(
            """
            import os, socket, sys
            reading, writing = os.pipe()
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    socket.create_connection(("api.push.apple.com", 443)).close()
                    os.write(writing, b"connected")
                    os.close(writing)
                    for fd in range(3): os.close(fd)
                    # Goes on after the end of the command, when the test writes.
                    with open("\(directory)/go") as go: go.read()
                    try:
                        found = socket.gethostbyname("feedback.push.apple.com")
                        seen = f"{found} {socket.socket().connect_ex(('api.push.apple.com', 443))}"
                    except OSError as error:
                        seen = str(error)
                    with open("\(directory)/done.new", "w") as file: file.write(seen)
                    os.rename("\(directory)/done.new", "\(directory)/done")
                os._exit(0)
            os.close(writing)
            print(os.read(reading, 100).decode())
            """)
        #expect(outcome.status == 0 && outcome.output == "connected\n", "\(outcome)")
        let go = open("\(directory)/go", O_WRONLY)
        close(go)
        let done = try Program(command: [
            "sh", "-c", "until test -f '\(directory)/done'; do sleep 0.01; done; cat '\(directory)/done'",
        ]).finish()
        // The hosts still do not lead to Apple.
        #expect(done.output == "127.197.0.10 \(ECONNREFUSED)")
    }

    /// A filter of its own takes `seccomp` away, as some containers do.
    @Test(arguments: [(EPERM, "forbids seccomp filters"), (ENOSYS, "has no seccomp notifications")])
    func `intercept is refused without seccomp`(_ error: Int32, _ words: String) throws {
        let script = """
            import ctypes, os, struct, sys
            libc = ctypes.CDLL(None)
            number = {"x86_64": 317, "aarch64": 277}[os.uname().machine]
            code = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050000 | \(error)), (0x06, 0, 0, 0x7fff0000)]
            filter = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
            program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(filter)))
            assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let outcome = try Program(command: ["python3", "-c", script, Program.path, "exec", "--intercept", "--", "true"])
            .finish()
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(words), "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
    }

    @Test func `intercept within intercept is refused`() throws {
        let outcome = try shell("'\(Program.path)' exec --intercept -- true; echo $?", ["--quiet"])
        #expect(outcome.output == "78\n")
        #expect(outcome.errors.contains("not possible below another one"), "\(outcome)")
    }
}
#endif
