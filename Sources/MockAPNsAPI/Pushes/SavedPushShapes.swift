package import MockAPNsFormats

package final class SavedPushShape: Shape {
    package static let definition = Definition(SavedPushShape(), "SavedPush")
    package let name = Member<String>()
    package let push = Member<JSONValue>("The body of POST /api/v1/pushes/send.")
}

package final class SavedPushListShape: Shape {
    package static let definition = Definition(SavedPushListShape(), "SavedPushList")
    package let savedPushes = Member<[APIObject<SavedPushShape>]>("By name.")
}
