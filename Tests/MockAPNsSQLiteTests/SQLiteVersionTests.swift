import MockAPNsSQLite
import TestSupport
import Testing

struct SQLiteVersionTests {
    @Test func `the linked SQLite says its version`() { #expect(SQLiteVersion.text.hasPrefix("3.")) }
}
