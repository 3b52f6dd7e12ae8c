enum SlotPlace {
    static let none = UInt32.max
}

protocol SlotElement {
    static var unused: Self { get }
    /// How often the slot was used before.
    var generation: UInt32 { get set }
    var isUsed: Bool { get set }
}

/// Elements that keep their slot and address until they are removed; then the next generation reuses the slot.
struct SlotTable<Element: SlotElement>: ~Copyable {
    private static var chunkSize: Int { 1_024 }

    private var chunks: [UnsafeMutablePointer<Element>] = []
    private var free: [UInt32] = []
    private let firstGeneration: UInt32
    /// The number of slots that were ever used.
    private(set) var end = 0

    /// Creates an empty table; the first element of each slot has this generation.
    init(firstGeneration: UInt32 = 0) { self.firstGeneration = firstGeneration }

    deinit {
        for (number, chunk) in chunks.enumerated() {
            chunk.deinitialize(count: min(Self.chunkSize, end - number * Self.chunkSize))
            chunk.deallocate()
        }
    }

    var count: Int { end - free.count }

    subscript(place: UInt32) -> Element {
        get { address(place).pointee }
        nonmutating _modify { yield &address(place).pointee }
    }

    /// Returns the address of the element in a used slot; valid until it is removed.
    func pointer(to place: UInt32) -> UnsafeMutablePointer<Element> { address(place) }

    func has(_ place: UInt32, generation: UInt32) -> Bool {
        guard Int(place) < end else { return false }
        let element = address(place)
        return element.pointee.isUsed && element.pointee.generation == generation
    }

    mutating func insert(_ element: Element) -> UInt32 {
        var element = element
        element.isUsed = true
        if let place = free.popLast() {
            element.generation = address(place).pointee.generation
            address(place).pointee = element
            return place
        }
        if end == chunks.count * Self.chunkSize { chunks.append(.allocate(capacity: Self.chunkSize)) }
        element.generation = firstGeneration
        address(UInt32(end)).initialize(to: element)
        end += 1
        return UInt32(end - 1)
    }

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
