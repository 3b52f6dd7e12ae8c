internal import MockAPNsRules

/// An entry of the table `search`: a key and the number of a push that has it.
struct SearchEntry: Comparable {
    let key: Int64
    let seq: UInt64

    static func < (first: SearchEntry, second: SearchEntry) -> Bool {
        (first.key, first.seq) < (second.key, second.seq)
    }

    /// Calls `use` with the entries of a push.
    static func visit(_ seq: UInt64, token: ByteSpan, topic: ByteSpan, id: ByteSpan, _ use: (SearchEntry) -> Void) {
        if !token.isEmpty { use(SearchEntry(key: SearchKey.key(.token, token), seq: seq)) }
        if !topic.isEmpty { use(SearchEntry(key: SearchKey.key(.topic, topic), seq: seq)) }
        if !id.isEmpty { use(SearchEntry(key: SearchKey.key(.id, id), seq: seq)) }
    }

    static func visit(_ seq: UInt64, token: String, topic: String, id: String, _ use: (SearchEntry) -> Void) {
        var (token, topic, id) = (token, topic, id)
        token.withUTF8 { token in
            topic.withUTF8 { topic in
                id.withUTF8 { id in visit(seq, token: ByteSpan(token), topic: ByteSpan(topic), id: ByteSpan(id), use) }
            }
        }
    }
}
