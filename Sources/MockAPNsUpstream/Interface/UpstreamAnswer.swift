/// A response of an upstream.
package struct UpstreamAnswer: Equatable, Sendable {
    /// When things happened, from when the request was given to the connection.
    package struct Times: Equatable, Sendable {
        /// The request began to be sent.
        package var sent = Duration.zero
        /// The response's status arrived.
        package var status = Duration.zero
        /// The response was complete.
        package var end = Duration.zero
    }

    /// The status, 200 to 599.
    package var status = 0
    /// The header fields in order, without `:status`.
    package var headers: [UpstreamHeader] = []
    package var body: [UInt8] = []
    /// The fields after the body.
    package var trailers: [UpstreamHeader] = []
    /// The statuses of interim responses (1xx), in order.
    package var interim: [Int] = []
    package var times = Times()
    /// The stream's number.
    package var stream: Int32 = 0
    /// How often the request was sent: 2 if the first connection did not process it.
    package var attempts = 1

    package init() {}

    /// Returns the value of the first header with this name in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// What the server of a connection has sent besides responses.
package struct UpstreamFacts: Equatable, Sendable {
    /// A GOAWAY frame.
    package struct GoAway: Equatable, Sendable {
        /// The last stream that the server processes.
        package let lastStream: Int32
        /// The error code, as RFC 9113 names it.
        package let code: String
        /// The debug data, at most 4,096 bytes.
        package let debug: String
    }

    /// A value of SETTINGS.
    package struct Setting: Equatable, Sendable {
        /// The number of RFC 9113, section 6.5.2.
        package let id: Int32
        package let value: UInt32

        package init(id: Int32, value: UInt32) { (self.id, self.value) = (id, value) }
    }

    /// The TLS version as OpenSSL names it, such as `TLSv1.3`; `nil` in clear text.
    package var tlsVersion: String?
    /// The values of all SETTINGS frames, in order; at most 100.
    package var settings: [Setting] = []
    /// The GOAWAY frames, in order; at most 16.
    package var goAways: [GoAway] = []
    /// The requests that were sent.
    package var requests = 0
    /// Why the connection ended; `nil` while it is open.
    package var end: UpstreamError?
}
