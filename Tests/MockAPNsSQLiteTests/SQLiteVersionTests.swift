import MockAPNsSQLite
import TestSupport
import Testing

struct SQLiteVersionTests {
    @Test("The linked SQLite says its version")
    func saysVersion() { #expect(SQLiteVersion.text.hasPrefix("3.")) }
}
