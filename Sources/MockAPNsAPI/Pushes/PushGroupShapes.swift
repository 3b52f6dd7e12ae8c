internal import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// Pushes with the same outcome, status, reason, topic and push type.
package struct PushGroup {
    package struct Key: Hashable {
        let status: UInt16
        let reason: Reason?
        let outcome: PushQuery.Outcome
        let topic: String?
        let pushType: String

        package init(_ outline: PushOutline, topic: String?, pushType: String) {
            (status, reason, outcome) = (outline.status, outline.reason, outline.isAccepted ? .accepted : .rejected)
            (self.topic, self.pushType) = (topic, pushType)
        }
    }

    let key: Key
    private(set) var count = 0
    let first: UInt64
    package private(set) var last: UInt64

    /// A group without pushes yet; `first` is the number of the one that comes.
    package init(_ key: Key, first: UInt64) { (self.key, self.first, last) = (key, first, first) }

    package mutating func add(_ seq: UInt64) {
        count += 1
        last = seq
    }
}

package final class PushGroupShape: Shape {
    package typealias Source = (group: PushGroup, extent: Journal.Extent)
    package static let definition = Definition(PushGroupShape(), "PushGroup")
    package let count = Member<Int>("The number of pushes.") { $0.group.count }
    package let first = Member<String>(.pushID, "The oldest push.") { $0.extent.id(of: $0.group.first) }
    package let last = Member<String>(.pushID, "The newest push.") { $0.extent.id(of: $0.group.last) }
    package let outcome = Member<String>(.word(.outcome)) { $0.group.key.outcome.rawValue }
    package let pushType = Member<String> { $0.group.key.pushType }
    package let reason = Member<String?>(.reason) { $0.group.key.reason?.name }
    package let status = Member<Int> { Int($0.group.key.status) }
    package let topic = Member<String?> { $0.group.key.topic }
}

package final class PushGroupsShape: Shape {
    /// The groups that are listed, and the number of all.
    package typealias Source = (groups: [PushGroup], total: Int, extent: Journal.Extent)
    package static let definition = Definition(PushGroupsShape(), "PushGroups")
    package let groups = Member<[APIObject<PushGroupShape>]>("The groups, the one with the newest push first.") {
        page in page.groups.map { APIObject(($0, page.extent)) }
    }
    package let total = Member<Int>("The number of groups, including those that are not listed.") { $0.total }
}
