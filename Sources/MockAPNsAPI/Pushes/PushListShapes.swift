package import MockAPNsFormats

package final class PushSummaryShape: Shape {
    package static let definition = Definition(PushSummaryShape(), "PushSummary")
    package let body = Member<String?>()
    package let bundleId = Member<String?>("The app in the path; null for a push to a device.")
    package let channel = Member<String?>("The channel of a broadcast or of a channel request.")
    package let connection = Member<String>("The connection that it came over.")
    package let delivery = Member<String>(.word(.deliveryState))
    package let device = Member<String?>("The label of the device.")
    package let durationMs = Member<Double>("From the complete request to the response.")
    package let faults = Member<[String]>(.faultID)
    package let id = Member<String>(.pushID)
    package let imported = Member<Bool>()
    package let lintCount = Member<Int>("The number of warnings, including notes and those about its connection.")
    package let outcome = Member<String>(.word(.outcome))
    package let pinned = Member<Bool>()
    package let priority = Member<UInt64?>()
    package let pushType = Member<String>()
    package let reason = Member<String?>()
    package let receivedAt = Member<String>(.time)
    package let seq = Member<UInt64>()
    package let service = Member<String>(.service)
    package let status = Member<Int>()
    package let title = Member<String?>()
    package let token = Member<String?>(.token)
    package let topic = Member<String?>()
    package let worstLint = Member<APIObject<WorstLint>?>(
        "The most severe error or warning about the push itself; null if there are only notes.")

    package final class WorstLint: Shape {
        package static let definition = Definition(WorstLint())
        package let id = Member<String>()
        package let severity = Member<String>(.word(.severity))
    }
}

package final class PushPageShape: Shape {
    package static let definition = Definition(PushPageShape(), "PushPage")
    package let evictedInWindow = Member<UInt64>("At most this many pushes of the window were dropped.")
    package let journal = Member<APIObject<JournalShape>>()
    package let matched = Member<Int>("The number of matching pushes, whatever the limit.")
    package let nextAfter = Member<UInt64>("The value of after for the next page.")
    package let note = Member<String?>()
    package let older = Member<Int>("How many of these pushes have left the memory, and came from --data.")
    package let pushes = Member<[JSONValue]>(.either(.named("Push"), .named("PushSummary")))
    package let satisfied = Member<Bool>("Whether as many pushes arrived as were waited for.")
    package let suggestions = Member<[APIObject<Suggestion>]>(
        "If a search without after and before matches nothing, up to three similar searches that match.")
    package let total = Member<Int>("The number of pushes in the journal, matching or not.")
    package let waitedMs = Member<Int>()

    package final class Suggestion: Shape {
        package static let definition = Definition(Suggestion())
        package let count = Member<Int>("The number of pushes that match.")
        package let q = Member<String>("The search.")
    }
}

package final class PushValuesShape: Shape {
    package static let definition = Definition(PushValuesShape(), "PushValues")
    package let field = Member<String>("The key in a search.")
    package let values = Member<[APIObject<Entry>]>("The most frequent values first.")

    package final class Entry: Shape {
        package static let definition = Definition(Entry())
        package let count = Member<Int>("The number of pushes with this value.")
        package let value = Member<String>()
    }
}

package final class SearchKeysShape: Shape {
    package static let definition = Definition(SearchKeysShape(), "SearchKeys")
    package let keys = Member<[APIObject<Key>]>()

    package final class Key: Shape {
        package static let definition = Definition(Key())
        package let choices = Member<[String]>("What a value can be or begin with.")
        package let closed = Member<Bool>("Whether there are no values besides the choices, or those of the pushes.")
        package let meaning = Member<String>("What the key matches.")
        package let name = Member<String>("The key, without the colon.")
        package let recorded = Member<Bool>("Whether the values of the pushes can be listed.")
    }
}

package final class PushCountShape: Shape {
    package static let definition = Definition(PushCountShape(), "PushCount")
    package let count = Member<Int>()
    package let evictedInWindow = Member<UInt64>("At most this many pushes of the window were dropped.")
    package let journal = Member<APIObject<JournalShape>>()
    package let note = Member<String?>()
    package let satisfied = Member<Bool>("Whether as many pushes arrived as were waited for.")
    package let waitedMs = Member<Int>()
}

package final class JournalShape: Shape {
    package static let definition = Definition(JournalShape(), "Journal")
    package let epoch = Member<UInt64>("The number of resets, plus one.")
    package let evicted = Member<UInt64>("The number of pushes dropped to make room.")
    package let firstSeq = Member<UInt64>("The number of the oldest push kept.")
    package let lastSeq = Member<UInt64>("The number of the newest event.")
}

package final class PushSentShape: Shape {
    package static let definition = Definition(PushSentShape(), "PushSent")
    package let page = Member<String?>("The push in the inspector.")
    package let push = Member<APIObject<PushShape>>()
    package let response = Member<APIObject<PushShape.Response>>()
}

/// What the rules answer to a push that is not sent.
package final class PushCheckShape: Shape {
    package static let definition = Definition(PushCheckShape(), "PushCheck")
    package let lints = Member<[APIObject<LintShape>]>("Warnings about the push.")
    package let response = Member<APIObject<Response>>()
    package let verdict = Member<APIObject<VerdictShape>>()

    package final class Response: Shape {
        package static let definition = Definition(Response())
        package let reason = Member<String?>(.reason)
        package let status = Member<Int>()
    }
}

/// Pushes taken from another server.
package final class ImportedShape: Shape {
    package static let definition = Definition(ImportedShape(), "Imported")
    package let firstSeq = Member<UInt64>()
    package let imported = Member<Int>()
    package let journal = Member<APIObject<JournalShape>>()
    package let kept = Member<Int>("The number of pushes that the journal has room for.")
    package let lastSeq = Member<UInt64>()
}

package final class DeletedShape: Shape {
    package static let definition = Definition(DeletedShape(), "Deleted")
    package let deleted = Member<Int>()
}
