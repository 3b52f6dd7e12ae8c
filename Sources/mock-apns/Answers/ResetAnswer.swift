/// What a reset put away, as the API shows it.
struct ResetAnswer: Decodable {
    let epoch: UInt64
    let seq: UInt64
    let cleared: [String: Int]
    let connections: String

    /// What was put away, line by line.
    var text: String {
        let cleared = cleared.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return Table.sheet([
            ("epoch", "\(epoch), after seq \(seq)"),
            ("cleared", cleared.isEmpty ? "nothing" : cleared.joined(separator: ", ")),
            ("connections", connections),
        ])
    }
}
