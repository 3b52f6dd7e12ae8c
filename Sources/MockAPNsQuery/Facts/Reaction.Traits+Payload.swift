package import MockAPNsFormats
package import MockAPNsWorld

extension Reaction.Traits {
    package init(aps: JSONValue?) {
        self = []
        if AlertText(aps?["alert"]).hasText { insert(.alert) }
        if case .integer? = aps?["badge"] { insert(.badge) }
        switch aps?["sound"] {
        case .string(let name)? where !name.isEmpty: insert(.sound)
        case .object?: insert(.sound)
        default: break
        }
        if aps?["content-available"] == .integer(1) { insert(.contentAvailable) }
        if aps?["mutable-content"] == .integer(1) { insert(.mutableContent) }
    }
}
