internal import MockAPNsAPI
internal import MockAPNsWorld

extension APIObject<JournalShape> {
    /// The contents of a journal.
    init(_ extent: Journal.Extent) {
        self.init()
        self.epoch = extent.epoch
        self.evicted = UInt64(extent.evicted)
        self.firstSeq = extent.firstSeq
        self.lastSeq = extent.lastSeq
    }
}
