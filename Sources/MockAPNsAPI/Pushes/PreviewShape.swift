package import MockAPNsFormats

/// What iOS shows of a push.
package final class PreviewShape: Shape {
    package static let definition = Definition(PreviewShape(), "Preview")
    package let app = Member<APIObject<App>>()
    package let appState = Member<String>(.word(.appState))
    package let appStates = Member<[APIObject<State>]>("The result in each state of the app.")
    package let attachment = Member<String?>(
        "The address of an image in the payload that a service extension may attach.")
    package let badge = Member<APIObject<Badge>>()
    package let body = Member<APIObject<Text>?>()
    package let category = Member<APIObject<Category>?>()
    package let categoryActions = Member<[APIObject<CategoryActionShape>]?>("Its buttons, if uploaded.")
    package let chips = Member<[APIObject<Chip>]>()
    package let collapseId = Member<String?>()
    package let headline = Member<String>()
    package let interruptionLevel = Member<APIObject<Level>>()
    package let isDelivered = Member<Bool>()
    package let isShown = Member<Bool>("Whether a notification is visible in this state.")
    package let kind = Member<String>(.word(.previewKind))
    package let language = Member<String?>(.languageTag, "The language of the strings table.")
    package let launchImage = Member<String?>()
    package let liveActivity = Member<APIObject<LiveActivity>?>()
    package let notes = Member<[String]>("What is unusual or approximate.")
    package let notificationsEnabled = Member<Bool>()
    package let push = Member<String>(.pushID)
    package let relevanceScore = Member<JSONValue>(.number.orNull)
    package let seq = Member<UInt64>()
    package let sound = Member<APIObject<Sound>>()
    package let subtitle = Member<APIObject<Text>?>()
    package let summary = Member<String>()
    package let targetContentId = Member<String?>()
    package let threadId = Member<String?>()
    package let title = Member<APIObject<Text>?>()
    package let views = Member<[String]>(.word(.previewView), "The pictures that apply.")
}

extension PreviewShape {
    package final class App: Shape {
        package static let definition = Definition(App())
        package let bundleId = Member<String>()
        package let color = Member<String>()
        package let letter = Member<String>()
        package let name = Member<String>()
    }

    package final class Text: Shape {
        package static let definition = Definition(Text())
        package let arguments = Member<[String]>()
        package let key = Member<String?>()
        package let source = Member<String>(.word(.previewTextSource))
        package let text = Member<String>("The text shown on the device.")
    }

    /// The number on the app's icon.
    package final class Badge: Shape {
        package static let definition = Definition(Badge())
        package let effect = Member<String>(.word(.badgeEffect))
        package let meaning = Member<String>()
        package let number = Member<Int64?>()
    }

    package final class Sound: Shape {
        package static let definition = Definition(Sound())
        package let kind = Member<String>(.word(.soundKind))
        package let meaning = Member<String>()
        package let name = Member<String?>()
        package let volume = Member<Double?>(.fraction)
    }

    package final class Level: Shape {
        package static let definition = Definition(Level())
        package let meaning = Member<String>()
        package let value = Member<String>(.word(.interruptionLevel))
    }

    package final class Category: Shape {
        package static let definition = Definition(Category())
        package let id = Member<String>()
        package let meaning = Member<String>()
    }

    /// A property of the notification that its picture does not show.
    package final class Chip: Shape {
        package static let definition = Definition(Chip())
        package let meaning = Member<String>()
        package let name = Member<String>()
    }

    /// The result in one state of the app.
    package final class State: Shape {
        package static let definition = Definition(State())
        package let appState = Member<String>(.word(.appState))
        package let callbacks = Member<[String]>()
        package let isShown = Member<Bool>()
        package let presentation = Member<String>(.word(.presentation))
        package let summary = Member<String>()
    }

    package final class LiveActivity: Shape {
        package static let definition = Definition(LiveActivity())
        package let attributes = Member<JSONValue>()
        package let attributesType = Member<JSONValue>()
        package let contentState = Member<JSONValue>()
        package let dismissalDate = Member<JSONValue>()
        package let event = Member<String?>()
        package let meaning = Member<String>()
        package let staleDate = Member<JSONValue>()
        package let timestamp = Member<JSONValue>()
    }
}

package final class CategoryActionShape: Shape {
    package static let definition = Definition(CategoryActionShape(), "CategoryAction")
    package let authenticationRequired = Member<Bool>()
    package let destructive = Member<Bool>()
    package let foreground = Member<Bool>()
    package let identifier = Member<String?>()
    package let textInput = Member<Bool>()
    package let title = Member<String>()
}
