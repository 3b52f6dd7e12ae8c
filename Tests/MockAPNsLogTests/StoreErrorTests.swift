import MockAPNsLog
import Testing

struct StoreErrorTests {
    @Test("An error reads as its description")
    func reads() { #expect("\(StoreError(.full, "no room in /data"))" == "no room in /data") }
}
