internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The latest pages of events, shared by streams with the same position and filter.
///
/// Streams that keep up read the same pages, so an event is read and rendered once for all of them.
final class EventShelf: Sendable {
    typealias Request = (cursor: EventCursor, limit: Int, types: Set<EventType>, fields: PushFields)
    typealias Page = (batch: EventBatch, next: EventCursor, isEmpty: Bool, older: [UInt64])

    /// More than the pages that streams without a backlog read.
    private static let most = 4

    private let pages = NIOLockedValueBox<[(request: Request, page: Page)]>([])

    /// Returns the page that was made for another stream, or a new one; other streams wait while it is made.
    func page(for request: Request, _ make: () -> Page) -> Page {
        pages.withLockedValue { pages in
            if let known = pages.first(where: { $0.request == request }) { return known.page }
            let page = make()
            // An empty page may have events the next time, and a gap is different for each stream.
            guard !page.isEmpty, page.older.isEmpty, page.batch.events.first?.name != ServerSentEvent.gapName else {
                return page
            }
            pages.append((request, page))
            if pages.count > Self.most { pages.removeFirst() }
            return page
        }
    }
}
