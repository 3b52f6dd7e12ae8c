package import MockAPNsTransport
package import NIOCore

/// How connections to an upstream are opened, and their limits.
package struct UpstreamOptions: Sendable {
    /// How long each stage may take.
    package struct Times: Sendable {
        /// The name's lookup and the TCP connection, to the upstream or to the proxy.
        package var connect = TimeAmount.seconds(10)
        /// The proxy's response to CONNECT.
        package var proxy = TimeAmount.seconds(10)
        /// The TLS handshake.
        package var handshake = TimeAmount.seconds(10)
        /// The server's SETTINGS after the handshake.
        package var settings = TimeAmount.seconds(10)
        /// A request, from when it is given to the connection to the end of its response.
        package var answer = TimeAmount.seconds(30)
        /// The time without requests after which the connection is closed; `nil` keeps it open.
        package var idle: TimeAmount? = .minutes(10)
        /// The response to a PING.
        package var ping = TimeAmount.seconds(10)

        package init() {}
    }

    /// The most that is kept for a connection.
    package struct Limits: Sendable {
        /// The streams that are open at a time; the server's SETTINGS can lower it.
        package var streams = 100
        /// The requests that wait for a stream.
        package var waiting = 1_000
        /// The header list of a request or a response in bytes, as SETTINGS_MAX_HEADER_LIST_SIZE counts.
        package var headerList = 32_768
        /// The body of a request or a response in bytes.
        package var body = 1_048_576
        /// The frames in a row that bring no response further.
        package var idleFrames = 1_000

        package init() {}
    }

    package var times = Times()
    package var limits = Limits()
    /// Whether only one stream is used until the first response that accepts the connection's credentials.
    ///
    /// APNs allows one stream until it has seen a valid provider token (documented: *sending*).
    package var startsWithOneStream = true
    /// The authorities and the client's certificate; `nil` trusts the system's authorities, with no certificate.
    package var tls: ClientTLSContext?
    /// The proxy to tunnel through.
    package var proxy: UpstreamProxy?

    package init() {}
}
