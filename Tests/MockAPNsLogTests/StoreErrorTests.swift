import MockAPNsLog
import Testing

struct StoreErrorTests {
    @Test func `an error reads as its description`() {
        #expect("\(StoreError(.full, "no room in /data"))" == "no room in /data")
    }
}
