/// The labels of devices by the slots of their registrations; a value type whose copies share unchanged
/// pages.
///
/// A change copies one of the small pages; each slot takes 16 bytes.
struct LabelTable: Sendable {
    private static let pageLength = 256

    /// A page without labels is empty.
    private var pages: [[String?]] = []

    /// Whether no device ever had a label.
    var isEmpty: Bool { pages.isEmpty }

    /// The label of a registration's device.
    subscript(place: UInt32) -> String? {
        get {
            let (page, at) = Int(place).quotientAndRemainder(dividingBy: Self.pageLength)
            return page < pages.count && !pages[page].isEmpty ? pages[page][at] : nil
        }
        set {
            let (page, at) = Int(place).quotientAndRemainder(dividingBy: Self.pageLength)
            while newValue != nil, page >= pages.count { pages.append([]) }
            guard page < pages.count else { return }
            if pages[page].isEmpty {
                guard newValue != nil else { return }
                pages[page] = Array(repeating: nil, count: Self.pageLength)
            }
            pages[page][at] = newValue
        }
    }
}
