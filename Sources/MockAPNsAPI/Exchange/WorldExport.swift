internal import MockAPNsFormats
internal import MockAPNsQuery
package import MockAPNsWorld

/// Writes the pushes of a world that no server has, as the API exports them.
package struct WorldExport: Sendable {
    private let namespace: ShownNamespace

    /// Creates the export of a world; `name` is the name of its namespace.
    package init(_ world: World, name: String) { namespace = ShownNamespace(PushContext(world), name: name) }

    /// Appends the line of a push: JSON, and a line feed.
    package func append(_ push: PushRecord, to text: inout [UInt8]) {
        ShownPush(push, in: namespace).json.write(to: &text)
        text.append(UInt8(ascii: "\n"))
    }
}
