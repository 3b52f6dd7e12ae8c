/// Pushes with the same outcome, status, reason, topic and push type.
package final class PushGroupShape: Shape {
    package static let definition = Definition(PushGroupShape(), "PushGroup")
    package let count = Member<Int>("The number of pushes.")
    package let first = Member<String>(.pushID, "The oldest push.")
    package let last = Member<String>(.pushID, "The newest push.")
    package let outcome = Member<String>(.word(.outcome))
    package let pushType = Member<String>()
    package let reason = Member<String?>(.reason)
    package let status = Member<Int>()
    package let topic = Member<String?>()
}

package final class PushGroupsShape: Shape {
    package static let definition = Definition(PushGroupsShape(), "PushGroups")
    package let groups = Member<[APIObject<PushGroupShape>]>("The groups, the one with the newest push first.")
    package let total = Member<Int>("The number of groups, including those that are not listed.")
}
