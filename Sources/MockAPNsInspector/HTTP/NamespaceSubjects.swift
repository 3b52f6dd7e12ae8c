internal import MockAPNs
internal import NIOConcurrencyHelpers

/// What is shown of each namespace: what the API keeps about one belongs to it, and goes with it.
final class NamespaceSubjects: Sendable {
    private let subjects = NIOLockedValueBox<[ObjectIdentifier: InspectedServer]>([:])

    /// What is shown of a namespace.
    func subject(for namespace: Namespace, like standard: InspectedServer) -> InspectedServer {
        if namespace.isStandard { return standard }
        return subjects.withLockedValue { subjects in
            if let known = subjects[ObjectIdentifier(namespace)] { return known }
            subjects = subjects.filter { !$0.value.namespace.isRemoved }
            let made = InspectedServer(standard, namespace: namespace)
            subjects[ObjectIdentifier(namespace)] = made
            return made
        }
    }

    /// Lets go of a namespace that has been removed.
    func forget(_ namespace: Namespace) {
        subjects.withLockedValue { $0[ObjectIdentifier(namespace)] = nil }
    }
}
