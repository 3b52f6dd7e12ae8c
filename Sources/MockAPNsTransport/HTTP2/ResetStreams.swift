/// The streams of a connection that RST_STREAM ended, and which side sent it.
///
/// RFC 9113 section 5.1 has frames discarded that the client may have sent before it saw the server's reset. It
/// gives no time limit for that, so an id stays until newer ones take its place.
struct ResetStreams {
    /// The side that reset a stream.
    enum Side {
        case server
        case client
        /// Older than what is remembered.
        case unknown
    }

    /// How many streams are remembered; a connection without resets needs no memory for them.
    static let capacity = 128

    private var streams: [(id: Int32, by: Side)] = []
    /// Where the next stream goes once there are `capacity`.
    private var oldest = 0
    /// The highest id that was forgotten; at or below it, any stream may have been reset.
    private var forgotten: Int32 = 0

    /// Remembers a reset.
    mutating func note(_ id: Int32, by side: Side) {
        guard streams.count == Self.capacity else {
            streams.append((id, side))
            return
        }
        forgotten = max(forgotten, streams[oldest].id)
        streams[oldest] = (id, side)
        oldest = (oldest + 1) % Self.capacity
    }

    /// The side that reset a stream, the server where both did; `nil` for a stream that was not reset.
    func side(of id: Int32) -> Side? {
        var side: Side? = id <= forgotten ? .unknown : nil
        for stream in streams where stream.id == id {
            if stream.by == .server { return .server }
            side = stream.by
        }
        return side
    }
}
