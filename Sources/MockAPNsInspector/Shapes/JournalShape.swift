internal import MockAPNsFormats
internal import MockAPNsWorld

/// What the journal holds, as every answer that is made from it says.
enum JournalShape {
    static func json(_ extent: Journal.Extent) -> JSONValue {
        [
            "epoch": JSONValue(extent.epoch),
            "firstSeq": JSONValue(extent.firstSeq),
            "lastSeq": JSONValue(extent.lastSeq),
            "evicted": JSONValue(extent.evicted),
        ]
    }
}
