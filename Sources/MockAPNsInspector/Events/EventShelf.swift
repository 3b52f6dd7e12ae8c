internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// The latest batches of events: streams that ask for the same from the same place get the same bytes.
///
/// Streams that keep up read the same pages, so an event is read and rendered once for all of them.
final class EventShelf: Sendable {
    /// What a stream asks for.
    struct Request: Equatable, Sendable {
        let cursor: EventCursor
        let limit: Int
        let types: Set<EventType>
        let fields: PushFields
    }

    /// What it gets.
    struct Page: Sendable {
        let batch: EventBatch
        let next: EventCursor
        /// Whether there was nothing to read.
        let isEmpty: Bool
    }

    /// More than the pages that streams which keep up are at.
    private static let most = 4

    private let pages = NIOLockedValueBox<[(request: Request, page: Page)]>([])

    /// The page of a request: the one that was made for another stream, or a new one.
    ///
    /// - Parameters:
    ///   - request: what a stream asks for.
    ///   - make: makes the page; no other stream gets one meanwhile.
    /// - Returns: the page.
    func page(for request: Request, _ make: () -> Page) -> Page {
        pages.withLockedValue { pages in
            if let known = pages.first(where: { $0.request == request }) { return known.page }
            let page = make()
            // What is empty now has events the next time, and a gap is different for each stream.
            guard !page.isEmpty, page.batch.first?.name != ServerSentEvent.gapName else { return page }
            pages.append((request, page))
            if pages.count > Self.most { pages.removeFirst() }
            return page
        }
    }
}
