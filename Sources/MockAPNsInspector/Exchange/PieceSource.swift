/// Where an answer comes from that is too long to be in memory at once; for one client.
protocol PieceSource: Sendable {
    /// Makes a piece of the answer; on any thread, at the same time as others.
    typealias Piece = @Sendable () -> [UInt8]

    /// The next piece, which may be empty; `nil` when there are no more. For one caller at a time.
    func next() -> Piece?
}
