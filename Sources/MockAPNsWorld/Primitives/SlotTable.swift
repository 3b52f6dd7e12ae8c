/// Numbers of places in a `SlotTable`.
enum SlotPlace {
    /// Stands for no place.
    static let none = UInt32.max
}

/// What a `SlotTable` keeps.
protocol SlotElement {
    /// The content of an unused place.
    static var unused: Self { get }
    /// How often the place was used before.
    var generation: UInt32 { get set }
    /// Whether the place is used.
    var isUsed: Bool { get set }
}

/// Elements that keep their place until they are removed: a number finds them, and growing moves nothing.
///
/// Places of removed elements are used again, with the next generation.
struct SlotTable<Element: SlotElement>: ~Copyable {
    private static var chunkSize: Int { 1_024 }

    private var chunks: [UnsafeMutablePointer<Element>] = []
    private var free: [UInt32] = []
    private let firstGeneration: UInt32
    /// Places that have ever been used.
    private(set) var end = 0

    /// A table without elements, whose first ones have this generation.
    init(firstGeneration: UInt32 = 0) { self.firstGeneration = firstGeneration }

    deinit {
        for (number, chunk) in chunks.enumerated() {
            chunk.deinitialize(count: min(Self.chunkSize, end - number * Self.chunkSize))
            chunk.deallocate()
        }
    }

    /// Elements at hand.
    var count: Int { end - free.count }

    /// The element at a place that is used.
    subscript(place: UInt32) -> Element {
        get { address(place).pointee }
        nonmutating _modify { yield &address(place).pointee }
    }

    /// The element at a place that is used, to be changed where it lies; valid until it is removed.
    func pointer(to place: UInt32) -> UnsafeMutablePointer<Element> { address(place) }

    /// Whether a place still has the element of this generation.
    func has(_ place: UInt32, generation: UInt32) -> Bool {
        guard Int(place) < end else { return false }
        let element = address(place)
        return element.pointee.isUsed && element.pointee.generation == generation
    }

    /// Puts an element to a free place.
    mutating func insert(_ element: Element) -> UInt32 {
        let place: UInt32
        if let used = free.popLast() {
            place = used
        } else {
            if end == chunks.count * Self.chunkSize { chunks.append(.allocate(capacity: Self.chunkSize)) }
            place = UInt32(end)
            end += 1
            address(place).initialize(to: .unused)
            address(place).pointee.generation = firstGeneration
        }
        let generation = address(place).pointee.generation
        address(place).pointee = element
        address(place).pointee.generation = generation
        address(place).pointee.isUsed = true
        return place
    }

    /// Takes the element away.
    mutating func remove(_ place: UInt32) {
        let generation = address(place).pointee.generation
        address(place).pointee = .unused
        address(place).pointee.generation = generation &+ 1
        free.append(place)
    }

    private func address(_ place: UInt32) -> UnsafeMutablePointer<Element> {
        chunks[Int(place) / Self.chunkSize] + Int(place) % Self.chunkSize
    }
}
