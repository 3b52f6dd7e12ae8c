import Testing

@testable import MockAPNsWorld

@Suite struct LabelTableTests {
    @Test(arguments: [0, 255, 256, 70_000] as [UInt32])
    func `a label is found at its place alone, until it is taken away`(_ place: UInt32) {
        var labels = LabelTable()
        #expect(labels[place] == nil)
        labels[place] = nil
        #expect(labels.isEmpty)
        labels[place] = "alice"
        #expect(labels[place] == "alice")
        #expect(labels[place + 1] == nil && labels[place == 0 ? 300 : place - 1] == nil)
        labels[place] = nil
        #expect(labels[place] == nil)
    }

    @Test func `a copy keeps what it had`() {
        var labels = LabelTable()
        labels[1] = "alice"
        let copy = labels
        labels[1] = "bob"
        labels[2] = "carol"
        #expect(copy[1] == "alice" && copy[2] == nil)
        #expect(labels[1] == "bob" && labels[2] == "carol")
    }
}
