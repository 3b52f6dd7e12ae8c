internal import MockAPNsFormats

enum SlotPlace { static let none = UInt32.max }

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
    /// The number of slots that were filled from an archive.
    private var filled = 0

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

    func isUsed(_ place: UInt32) -> Bool { Int(place) < end && address(place).pointee.isUsed }

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

    /// The places of the used slots, in their order.
    var places: [UInt32] { (0..<UInt32(end)).filter { address($0).pointee.isUsed } }

    /// Writes which slots there are, without the elements in the used ones.
    ///
    /// Later changes refer to slots, so a table that is read back gives the same ones to the next elements.
    func writeSlots(to archive: inout ArchiveWriter) {
        archive.write(count: end)
        archive.write(count: free.count)
        for place in free {
            archive.write(place)
            archive.write(address(place).pointee.generation)
        }
    }

    /// Reads the slots of an empty table; every one that is not free is then filled, which `checkIsFull` checks.
    mutating func readSlots(from archive: inout ArchiveReader) throws(ArchiveError) {
        let slots = try archive.count()
        let freeCount = try archive.count()
        chunks = (0..<(slots + Self.chunkSize - 1) / Self.chunkSize).map { _ in .allocate(capacity: Self.chunkSize) }
        while end < slots {
            address(UInt32(end)).initialize(to: .unused)
            end += 1
        }
        var isFree = [Bool](repeating: false, count: slots)
        for _ in 0..<freeCount {
            let place = try archive.read(UInt32.self)
            guard Int(place) < slots, !isFree[Int(place)] else { throw .badValue }
            isFree[Int(place)] = true
            free.append(place)
            address(place).pointee.generation = try archive.read()
        }
    }

    /// Puts an element with its generation into a slot that was read.
    mutating func fill(_ place: UInt32, with element: Element) throws(ArchiveError) {
        guard Int(place) < end, !address(place).pointee.isUsed else { throw .badValue }
        address(place).pointee = element
        address(place).pointee.isUsed = true
        filled += 1
    }

    func checkIsFull() throws(ArchiveError) {
        guard filled == count, !free.contains(where: { address($0).pointee.isUsed }) else { throw .badValue }
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
