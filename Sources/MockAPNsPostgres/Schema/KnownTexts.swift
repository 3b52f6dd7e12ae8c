internal import MockAPNsLog
internal import MockAPNsRules
internal import NIOConcurrencyHelpers

/// The texts of header fields that were read, so that a server that follows others reads each once.
///
/// A number is never used for another text, so nothing here becomes wrong.
final class KnownTexts: Sendable {
    /// The maximum number of texts, of at most 4 KiB each.
    private static let most = 4_096

    private let texts = NIOLockedValueBox<[EntryBatch.Row: [UInt8]]>([:])

    /// Returns the texts that rows share, which have `RecordTable.ownColumns` and then the number of the namespace.
    ///
    /// `read` runs statements, if there are texts that are not known yet. A text that does not exist is missing.
    func read(
        of rows: some Collection<QueryResult.Row>, _ read: ([Command]) throws(StoreError) -> [QueryResult]
    ) throws(StoreError) -> [EntryBatch.Row: [UInt8]] {
        var found = texts.withLockedValue { $0 }
        var keys: Set<EntryBatch.Row> = []
        var last: EntryBatch.Row?
        // Rows next to each other usually share a text.
        for row in rows {
            guard let key = Self.key(of: row), key != last else { continue }
            last = key
            keys.insert(key)
        }
        guard keys.contains(where: { found[$0] == nil }) else { return found }
        if found.count + keys.count > Self.most { found = [:] }
        let wanted = keys.filter { found[$0] == nil }
        let numbers = [wanted.map(\.namespace), wanted.map { Int64(bitPattern: $0.number) }]
        let query = """
            select namespace, id, text from header where namespace = any($1::bigint[]) and id = any($2::bigint[])
            """
        for row in try read([Command(query, numbers.map { .integers($0) })])[0].rows {
            found[EntryBatch.Row(namespace: row.integer(0), number: UInt64(bitPattern: row.integer(1)))] = row.bytes(2)
        }
        texts.withLockedValue { [found] in $0 = found }
        return found
    }

    /// The namespace and the number of the text that a row shares; `nil` if it shares none.
    static func key(of row: QueryResult.Row) -> EntryBatch.Row? {
        guard !row.isNull(RecordTable.sharedColumn) else { return nil }
        let number = UInt64(bitPattern: row.integer(RecordTable.sharedColumn))
        return EntryBatch.Row(namespace: row.integer(RecordTable.sharedColumn + 1), number: number)
    }
}
