package import MockAPNsFormats

package final class SavedPushShape: Shape {
    package typealias Source = (name: String, push: String)
    package static let definition = Definition(SavedPushShape(), "SavedPush")
    package let name = Member<String> { $0.name }
    package let push = Member<JSONValue>("The body of POST /api/v1/pushes/send.") { .written(Array($0.push.utf8)) }
}

package final class SavedPushListShape: Shape {
    package typealias Source = [SavedPushShape.Source]
    package static let definition = Definition(SavedPushListShape(), "SavedPushList")
    package let savedPushes = Member<[APIObject<SavedPushShape>]>("By name.") { $0.map { APIObject($0) } }
}
