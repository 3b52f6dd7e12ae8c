import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsAPI

@Suite struct DeviceReferenceTextTests {
    @Test func `an id is read as it was written`() {
        for number in [0, 1, 0x1_0000_0000, 0xfedc_ba98_7654_3210, UInt64.max] {
            let text = DeviceReferenceText.text(DeviceID(number: number))
            #expect(text.utf8.count == 20)
            #expect(DeviceReferenceText.id(text)?.number == number)
        }
        #expect(DeviceReferenceText.text(DeviceID(number: 0xab)) == "dev_00000000000000ab")
    }

    @Test(arguments: ["dev_", "dev_1", "dev_00000000000000abc", "dev_+0000000000000ab", "DEV_00000000000000ab", ""])
    func `text that is not an id is refused`(text: String) { #expect(DeviceReferenceText.id(text) == nil) }

    @Test func `a device has names of three kinds`() {
        guard case .label("a b/@c")? = DeviceReferenceText.reference("@a b/@c"),
            case .token(let token)? = DeviceReferenceText.reference("ABcd"),
            case .id(let id)? = DeviceReferenceText.reference("dev_0000000000000007")
        else {
            Issue.record("not read")
            return
        }
        #expect(token == DeviceToken(hex: "abcd"))
        #expect(id.number == 7)
        for text in ["@", "alice", "abc", "dev_7", ""] {
            #expect(DeviceReferenceText.reference(text) == nil, "\(text)")
        }
    }
}
