import MockAPNsTesting
import Synchronization
import Testing

/// Parallel tests, each with a server.
@Suite(.mockAPNs) struct ParallelTests {
    /// Each server has a certificate authority of its own.
    private static let authorities = Mutex<Set<String>>([])

    @Test(arguments: 0..<200) func `every test has a server of its own`(_ number: Int) async throws {
        let apns = APNsMock.current
        #expect(Self.authorities.withLock { $0.insert(apns.trustRootsPEM).inserted })
        let phone = try await apns.addPhone(topic: "com.example.app", name: "alice")
        if number < 8 {
            try await Provider(apns).send(title: "\(number)", to: phone.token)
            try await apns.expect(exactly: 1, .to(phone), .title("\(number)"))
        }
    }
}

/// Parallel tests with a server that they share.
@Suite(.mockAPNs(shared: true)) struct SharedTests {
    @Suite struct Inner {
        private static let authorities = Mutex<Set<String>>([])

        @Test(arguments: 0..<20) func `every test has a namespace of its own`(_ number: Int) async throws {
            let apns = APNsMock.current
            let servers = Self.authorities.withLock { authorities in
                authorities.insert(apns.trustRootsPEM)
                return authorities.count
            }
            #expect(servers == 1)
            // The same label and token twice in one world would be refused.
            let token = String(repeating: "ab", count: 32)
            let phone = try await apns.addPhone(topic: "com.example.app", name: "alice", token: token)
            if number < 8 {
                try await Provider(apns).send(title: "\(number)", to: phone.token)
                try await apns.expect(exactly: 1, .to(phone))
            }
        }
    }
}

/// More tests than can have a server at the same time, each with two.
@Suite(.mockAPNs) struct DoubleTests {
    @Test(.mockAPNs, arguments: 0..<64) func `tests with two servers do not wait for each other`(
        _ number: Int
    ) async throws { #expect(try await APNsMock.current.pushes().isEmpty) }
}

struct SingleTests {
    @Test(.mockAPNs) func `a test can have the trait`() async throws { #expect(APNsMock.current.port > 0) }

    @Test(.mockAPNs(shared: true), arguments: 0..<3) func `the cases of a test can share a server`(
        _ number: Int
    ) async throws {
        _ = try await APNsMock.current.addPhone(topic: "com.example.app", token: String(repeating: "0a", count: 32))
    }

    @Test func `servers can be within each other`() async throws {
        try await withMockAPNs { outer in
            try await withMockAPNs { inner in
                #expect(APNsMock.current.port == inner.port)
                #expect(outer.port != inner.port)
            }
            #expect(APNsMock.current.port == outer.port)
        }
    }
}
