/// The source of a response that is too long to hold in memory at once.
///
/// Serves one client.
protocol PieceSource: Sendable {
    /// Makes a piece of the response. Safe to call on any thread, in parallel with other pieces.
    typealias Piece = @Sendable () -> [UInt8]

    /// Returns the next piece, which may be empty, or `nil` at the end. Not safe to call concurrently.
    func next() -> Piece?
}
