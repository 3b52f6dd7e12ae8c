package import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsVerifying
package import MockAPNsWorld

package final class PushPageShape: Shape {
    /// `lost` is the number of pushes of the window that have left the memory, and `wanted` that of the pushes to wait for.
    package typealias Source = (
        page: PushPage, pushes: [JSONValue], suggestions: [SearchSuggestion], total: Int, lost: UInt64, note: String?,
        wanted: Int, waitedMs: Int
    )
    package static let definition = Definition(PushPageShape(), "PushPage")
    package let evictedInWindow = Member<UInt64>("At most this many pushes of the window were dropped.") { $0.lost }
    package let journal = Member<APIObject<JournalShape>> { APIObject($0.page.extent) }
    package let matched = Member<Int>("The number of matching pushes, whatever the limit.") { $0.page.matched }
    package let nextAfter = Member<UInt64>("The value of after for the next page.") { $0.page.nextAfter }
    package let note = Member<String?> { $0.note }
    package let older = Member<Int>("How many of these pushes have left the memory, and came from --data.") {
        $0.page.older
    }
    package let pushes = Member<[JSONValue]>(.either(.named("Push"), .named("PushSummary"))) { $0.pushes }
    package let satisfied = Member<Bool>("Whether as many pushes arrived as were waited for.") {
        $0.page.matched >= $0.wanted
    }
    package let suggestions = Member<[APIObject<Suggestion>]>(
        "If a search without after and before matches nothing, up to three similar searches that match."
    ) { $0.suggestions.map { APIObject($0) } }
    package let total = Member<Int>("The number of pushes in the journal, matching or not.") { $0.total }
    package let waitedMs = Member<Int> { $0.waitedMs }

    package final class Suggestion: Shape {
        package typealias Source = SearchSuggestion
        package static let definition = Definition(Suggestion())
        package let count = Member<Int>("The number of pushes that match.") { $0.count }
        package let q = Member<String>("The search.") { $0.text }
    }
}

package final class PushValuesShape: Shape {
    package typealias Source = (field: String, values: [(value: String, count: Int)])
    package static let definition = Definition(PushValuesShape(), "PushValues")
    package let field = Member<String>("The key in a search.") { $0.field }
    package let values = Member<[APIObject<Entry>]>("The most frequent values first.") {
        $0.values.map { APIObject($0) }
    }

    package final class Entry: Shape {
        package typealias Source = (value: String, count: Int)
        package static let definition = Definition(Entry())
        package let count = Member<Int>("The number of pushes with this value.") { $0.count }
        package let value = Member<String> { $0.value }
    }
}

package final class SearchKeysShape: Shape {
    package typealias Source = [SearchWord]
    package static let definition = Definition(SearchKeysShape(), "SearchKeys")
    package let keys = Member<[APIObject<Key>]> { $0.map { APIObject($0) } }

    package final class Key: Shape {
        package typealias Source = SearchWord
        package static let definition = Definition(Key())
        package let choices = Member<[String]>("What a value can be or begin with.") { $0.choices }
        package let closed = Member<Bool>("Whether there are no values besides the choices, or those of the pushes.") {
            $0.isClosed
        }
        package let meaning = Member<String>("What the key matches.") { $0.meaning }
        package let name = Member<String>("The key, without the colon.") { $0.names[0] }
        package let recorded = Member<Bool>("Whether the values of the pushes can be listed.") { $0.values != nil }
    }
}

package final class PushCountShape: Shape {
    package typealias Source = (
        count: Int, extent: Journal.Extent, lost: UInt64, note: String?, wanted: Int, waitedMs: Int
    )
    package static let definition = Definition(PushCountShape(), "PushCount")
    package let count = Member<Int> { $0.count }
    package let evictedInWindow = Member<UInt64>("At most this many pushes of the window were dropped.") { $0.lost }
    package let journal = Member<APIObject<JournalShape>> { APIObject($0.extent) }
    package let note = Member<String?> { $0.note }
    package let satisfied = Member<Bool>("Whether as many pushes arrived as were waited for.") { $0.count >= $0.wanted }
    package let waitedMs = Member<Int> { $0.waitedMs }
}

package final class JournalShape: Shape {
    package typealias Source = Journal.Extent
    package static let definition = Definition(JournalShape(), "Journal")
    package let epoch = Member<UInt64>("The number of resets, plus one.") { $0.epoch }
    package let evicted = Member<UInt64>("The number of pushes dropped to make room.") { UInt64($0.evicted) }
    package let firstSeq = Member<UInt64>("The number of the oldest push kept.") { $0.firstSeq }
    package let lastSeq = Member<UInt64>("The number of the newest event.") { $0.lastSeq }
}

package final class PushSentShape: Shape {
    package typealias Source = (push: ShownPush, page: String?)
    package static let definition = Definition(PushSentShape(), "PushSent")
    package let page = Member<String?>("The push in the inspector.") { $0.page }
    package let push = Member<APIObject<PushShape>>.json { $0.push.json }
    package let response = Member<APIObject<PushShape.Response>> { APIObject($0.push.facts) }
}

/// What the rules answer to a push that is judged, but neither sent nor recorded.
package final class PushCheckShape: Shape {
    package typealias Source = ShownPush
    package static let definition = Definition(PushCheckShape(), "PushCheck")
    package let lints = Member<[APIObject<LintShape>]>("Warnings about the push.") { push in
        push.subject.context.lints(of: push.facts).map { APIObject($0) }
    }
    package let response = Member<APIObject<Response>> { APIObject($0.record) }
    package let verdict = Member<APIObject<VerdictShape>> { APIObject(ShownVerdict($0.facts, in: $0.subject)) }

    package final class Response: Shape {
        package typealias Source = PushRecord
        package static let definition = Definition(Response())
        package let reason = Member<String?>(.reason) { $0.verdict.reason?.name }
        package let status = Member<Int> { Int($0.answer.status) }
    }
}

/// Pushes taken from another server.
package final class ImportedShape: Shape {
    package typealias Source = (seqs: [UInt64], extent: Journal.Extent, kept: Int)
    package static let definition = Definition(ImportedShape(), "Imported")
    package let firstSeq = Member<UInt64> { $0.seqs.first ?? 0 }
    package let imported = Member<Int> { $0.seqs.count }
    package let journal = Member<APIObject<JournalShape>> { APIObject($0.extent) }
    package let kept = Member<Int>("The number of pushes that the journal has room for.") { $0.kept }
    package let lastSeq = Member<UInt64> { $0.seqs.last ?? 0 }
}

package final class DeletedShape: Shape {
    package typealias Source = Int
    package static let definition = Definition(DeletedShape(), "Deleted")
    package let deleted = Member<Int> { $0 }
}
