/// Where an answer comes from that is too long to be in memory at once; for one client.
protocol PieceSource: Sendable {
    /// The next bytes, which may be none; `nil` when there are no more.
    func next() -> [UInt8]?
}
