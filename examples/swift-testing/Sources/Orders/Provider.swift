import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends the pushes of an order service to APNs.
public actor Provider {
    /// How to reach APNs, and how to sign in.
    public struct Configuration: Sendable {
        /// `https://api.push.apple.com` in production.
        public var url: String
        /// The bundle identifier of the app.
        public var topic: String
        /// Returns a provider token that was issued at a time, in UNIX seconds.
        public var sign: @Sendable (_ issuedAt: Int) throws -> String
        /// The certificates to trust, in PEM; `nil` for those of the system.
        public var trustRootsPEM: String?
        /// The time in UNIX seconds.
        public var now: @Sendable () async throws -> Int
        /// Waits before a push is sent again.
        public var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

        /// Creates a configuration.
        public init(
            url: String,
            topic: String,
            sign: @escaping @Sendable (_ issuedAt: Int) throws -> String,
            trustRootsPEM: String? = nil,
            now: @escaping @Sendable () async throws -> Int
        ) {
            (self.url, self.topic, self.sign) = (url, topic, sign)
            (self.trustRootsPEM, self.now) = (trustRootsPEM, now)
        }
    }

    /// A push that APNs refuses, or that it did not accept in several attempts.
    public struct Refusal: Error {
        /// The status of the last response.
        public let status: UInt
        /// The reason in it, such as `BadDeviceToken`.
        public let reason: String
    }

    private static let mostAttempts = 5
    /// APNs refuses tokens that are older than an hour, and those that are renewed too often.
    private static let longestUse = 50 * 60

    /// The device tokens of the customers who get pushes.
    public private(set) var tokens: Set<String> = []
    private let configuration: Configuration
    private let client: HTTPClient
    private var bearer: (token: String, issuedAt: Int)?

    /// Creates a provider, which has to be shut down.
    public init(_ configuration: Configuration) throws {
        self.configuration = configuration
        var client = HTTPClient.Configuration()
        client.timeout = .init(connect: .seconds(5), read: .seconds(10))
        if let pem = configuration.trustRootsPEM {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
            client.tlsConfiguration = tls
        }
        self.client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: client)
    }

    /// Closes its connections.
    public func shutdown() async throws { try await client.shutdown() }

    /// Adds a customer's device.
    public func add(token: String) { tokens.insert(token) }

    /// Tells all customers that an order was shipped.
    public func orderShipped(_ id: String) async throws {
        for token in tokens { try await send("Order shipped", order: id, to: token) }
    }

    /// Sends a push, and again after errors that pass; drops a token that APNs reports as gone.
    public func send(_ title: String, order: String, to token: String) async throws {
        for attempt in 1...Self.mostAttempts {
            let refusal: Refusal
            do {
                guard let answer = try await attemptToSend(title, order: order, to: token) else { return }
                refusal = answer
            } catch  where attempt < Self.mostAttempts && !(error is CancellationError) {
                // The connection was lost.
                try await configuration.pause(.milliseconds(100 << attempt))
                continue
            }
            switch (refusal.status, refusal.reason) {
            case (410, _):
                tokens.remove(token)
                return
            case (403, "ExpiredProviderToken") where attempt < Self.mostAttempts: bearer = nil
            case (429, _) where attempt < Self.mostAttempts, (500..., _) where attempt < Self.mostAttempts:
                try await configuration.pause(.milliseconds(100 << attempt))
            default: throw refusal
            }
        }
    }

    /// Returns why APNs refuses the push; `nil` if it accepts it.
    private func attemptToSend(_ title: String, order: String, to token: String) async throws -> Refusal? {
        var request = HTTPClientRequest(url: "\(configuration.url)/3/device/\(token)")
        request.method = .POST
        request.headers = [
            "authorization": "bearer \(try await bearerToken())", "apns-topic": configuration.topic,
            "apns-push-type": "alert", "apns-priority": "10",
            // Stored for an hour if the phone is offline.
            "apns-expiration": "\(try await configuration.now() + 3_600)",
        ]
        let payload = #"{"aps":{"alert":{"title":"\#(title)"}},"orderID":"\#(order)"}"#
        request.body = .bytes(ByteBuffer(string: payload))
        let response = try await client.execute(request, timeout: .seconds(10))
        let body = String(buffer: try await response.body.collect(upTo: 4_096))
        guard response.status != .ok else { return nil }
        return Refusal(
            status: response.status.code,
            reason: body.split(separator: "\"").dropFirst(3).first.map(String.init) ?? ""
        )
    }

    private func bearerToken() async throws -> String {
        let now = try await configuration.now()
        if let bearer, now - bearer.issuedAt < Self.longestUse { return bearer.token }
        let made = (token: try configuration.sign(now), issuedAt: now)
        bearer = made
        return made.token
    }
}
