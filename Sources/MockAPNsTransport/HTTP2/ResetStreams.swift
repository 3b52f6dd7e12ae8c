/// The streams of a connection that were ended by RST_STREAM, and the side that sent it.
///
/// RFC 9113 section 5.1 requires discarding frames that the client may have sent before it received the
/// server's reset. There is no time limit for that, so an ID is kept until newer ones replace it.
struct ResetStreams {
    /// The side that reset a stream.
    enum Side {
        case server
        case client
    }

    /// The number of streams that are kept; a connection without resets needs no memory for them.
    static let capacity = 128

    /// The streams, the oldest first.
    private var streams: [(id: Int32, by: Side)] = []
    /// The highest ID that was dropped; any stream up to it may have been reset.
    private var forgotten: Int32 = 0

    mutating func note(_ id: Int32, by side: Side) {
        if streams.count == Self.capacity { forgotten = max(forgotten, streams.removeFirst().id) }
        streams.append((id, side))
    }

    /// Returns the side that reset a stream; `nil` if it was not reset.
    ///
    /// It is the server if both did, or if the stream is older than the ones that are kept.
    func side(of id: Int32) -> Side? {
        var side: Side? = id <= forgotten ? .server : nil
        for stream in streams where stream.id == id {
            if stream.by == .server { return .server }
            side = stream.by
        }
        return side
    }
}
