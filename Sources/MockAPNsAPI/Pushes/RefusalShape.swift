package import MockAPNsRules

/// Why a device ignores a push to a Live Activity.
package final class RefusalShape: Shape {
    package typealias Source = ActivityRefusal
    package static let definition = Definition(RefusalShape(), "ActivityRefusal")
    package let code = Member<String>(.word(.activityRefusal)) { $0.code }
    package let text = Member<String>("What was seen, and what was expected.") { $0.text }
}
