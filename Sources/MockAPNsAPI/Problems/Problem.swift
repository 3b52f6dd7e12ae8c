package import MockAPNsFormats
package import MockAPNsVerifying
package import MockAPNsWorld

/// Why a request to the API failed: a problem document (RFC 9457).
package struct Problem: Error {
    /// To add a kind: add a case and its row.
    package enum Kind: CaseIterable {
        case badParameter, badPath, badBody, repeatedHeader, requestTimeout, unknownPath, unknownPush, unknownDevice,
            unknownToken, unknownActivity, unknownChannel, unknownFault, unknownPreset, unknownKey, unknownCertificate,
            unknownNamespace, unknownStrings, unknownCategory, unknownApp, unknownSchema, unknownSavedPush,
            noCertificateAuthority, notAuthorized, methodNotAllowed, hostNotAllowed, shutdownNotAllowed,
            originNotAllowed, labelTaken, tokenTaken, keyTaken, registrationTaken, namespaceTaken, namespaceGone,
            standardNamespace, bodyTooLarge, unusableValue, tooMany, tooManyActivities, tooManyChannels, tooMuchWork,
            tooBusy, tooManyStreams, tooManyFaults, tooManyNamespaces, tooManyStrings, tooManyCategories, tooManyApps,
            tooManySchemas, tooManySavedPushes, tooManyPins, cannotListen, cannotKeep, cannotRead, notReady,
            notConvertible, verificationFailed

        /// The code is stable, for programs.
        package var row: (status: Int, code: String, title: String) {
            switch self {
            case .badParameter: (400, "bad-parameter", "Invalid query parameter")
            case .badPath: (400, "bad-path", "Invalid path")
            case .badBody: (400, "bad-body", "Invalid request body")
            case .repeatedHeader: (400, "repeated-header", "Header repeated")
            case .requestTimeout: (408, "request-timeout", "Request took too long")
            case .unknownPath: (404, "unknown-path", "Path not found")
            case .unknownPush: (404, "unknown-push", "Push not found")
            case .unknownDevice: (404, "unknown-device", "Device not found")
            case .unknownToken: (404, "unknown-token", "Device token not found")
            case .unknownActivity: (404, "unknown-activity", "Live Activity not found")
            case .unknownChannel: (404, "unknown-channel", "Channel not found")
            case .unknownFault: (404, "unknown-fault", "Fault not found")
            case .unknownPreset: (404, "unknown-preset", "Preset not found")
            case .unknownKey: (404, "unknown-key", "Key not found")
            case .unknownCertificate: (404, "unknown-certificate", "Certificate not found")
            case .unknownNamespace: (404, "unknown-namespace", "Namespace not found")
            case .unknownStrings: (404, "unknown-strings", "Strings table not found")
            case .unknownCategory: (404, "unknown-category", "Category not found")
            case .unknownApp: (404, "unknown-app", "App not found")
            case .unknownSchema: (404, "unknown-schema", "Schema not found")
            case .unknownSavedPush: (404, "unknown-saved-push", "Saved push not found")
            case .noCertificateAuthority: (404, "no-certificate-authority", "No certificate authority")
            case .notAuthorized: (401, "not-authorized", "API token missing or wrong")
            case .methodNotAllowed: (405, "method-not-allowed", "Method not allowed")
            case .hostNotAllowed: (421, "host-not-allowed", "Host not allowed")
            case .shutdownNotAllowed: (403, "shutdown-not-allowed", "Shutdown not allowed")
            case .originNotAllowed: (403, "origin-not-allowed", "Origin not allowed")
            case .labelTaken: (409, "label-taken", "Label already in use")
            case .tokenTaken: (409, "token-taken", "Device token already in use")
            case .keyTaken: (409, "key-taken", "Key identifier already in use")
            case .registrationTaken: (409, "registration-taken", "App already on the device")
            case .namespaceTaken: (409, "namespace-taken", "Namespace already exists")
            case .namespaceGone: (409, "namespace-gone", "Namespace deleted")
            case .standardNamespace: (409, "standard-namespace", "Not possible for the default namespace")
            case .bodyTooLarge: (413, "body-too-large", "Request body too large")
            case .unusableValue: (422, "unusable-value", "Value not allowed")
            case .tooMany: (422, "too-many", "Too many devices")
            case .tooManyActivities: (422, "too-many-activities", "Too many Live Activities")
            case .tooManyChannels: (422, "too-many-channels", "Too many channels")
            case .tooMuchWork: (422, "too-much-work", "Search too expensive")
            case .tooBusy: (503, "too-busy", "Too many concurrent searches")
            case .tooManyStreams: (503, "too-many-streams", "Too many event streams")
            case .tooManyFaults: (422, "too-many-faults", "Too many faults")
            case .tooManyNamespaces: (422, "too-many-namespaces", "Too many namespaces")
            case .tooManyStrings: (422, "too-many-strings", "Too many strings")
            case .tooManyCategories: (422, "too-many-categories", "Too many categories")
            case .tooManyApps: (422, "too-many-apps", "Too many apps")
            case .tooManySchemas: (422, "too-many-schemas", "Too many schemas")
            case .tooManySavedPushes: (422, "too-many-saved-pushes", "Too many saved pushes")
            case .tooManyPins: (422, "too-many-pins", "Too many pinned pushes")
            case .cannotListen: (500, "cannot-listen", "Cannot listen on a port")
            case .cannotKeep: (503, "cannot-keep", "Changes cannot be kept")
            case .cannotRead: (503, "cannot-read", "Stored pushes cannot be read")
            case .notReady: (503, "not-ready", "Server not ready")
            case .notConvertible: (422, "not-convertible", "Push not convertible")
            case .verificationFailed: (409, "verification-failed", "Verification failed")
            }
        }

        package var type: String { "urn:mock-apns:problem:\(row.code)" }
    }

    /// What only some kinds of problems have.
    package struct Details: Sendable {
        package let journal: Journal.Extent?
        /// May be shown in place of the document.
        package fileprivate(set) var report: String?
        fileprivate(set) var failure: VerificationFailure?
        fileprivate(set) var sequence: VerificationSequence.Finding?
        fileprivate(set) var unverified: UnverifiedPushes?
        fileprivate(set) var readiness: (listeners: [(name: String, isBound: Bool)], isStopping: Bool)?

        package init(_ journal: Journal.Extent? = nil) { self.journal = journal }

        package init(_ listeners: [(name: String, isBound: Bool)], isStopping: Bool) {
            self.init()
            readiness = (listeners, isStopping)
        }
    }

    package let kind: Kind
    /// What happened, and how to fix it.
    package let detail: String
    package var complaints: [Complaint] = []
    /// The methods that the path takes.
    package var allowedMethods: [String] = []
    package var details = Details()

    package init(
        _ kind: Kind, _ detail: String, complaints: [Complaint] = [], allowedMethods: [String] = [],
        details: Details = Details()
    ) {
        (self.kind, self.detail, self.complaints) = (kind, detail, complaints)
        (self.allowedMethods, self.details) = (allowedMethods, details)
    }
}

extension Problem {
    package init(_ failure: VerificationFailure, _ report: ReportText) {
        self.init(report, failure.extent)
        details.failure = failure
    }

    package init(_ finding: VerificationSequence.Finding, _ report: ReportText) {
        self.init(report, finding.extent)
        details.sequence = finding
    }

    package init(_ unverified: UnverifiedPushes, _ report: ReportText) {
        self.init(report, unverified.extent)
        details.unverified = unverified
    }

    private init(_ report: ReportText, _ extent: Journal.Extent) {
        self.init(.verificationFailed, report.headline + ".", details: Details(extent))
        details.report = report.text
    }
}

extension Problem {
    /// A problem with the body, a member or a part of the path; the message says why, as in "is not JSON".
    package init(_ kind: Kind, at path: String, _ message: String, suggestion: String? = nil) {
        self.kind = kind
        detail = (path.isEmpty ? "The body" : "'\(path)'") + " \(message)."
        complaints = [Complaint(path: path, message: message, suggestion: suggestion)]
    }

    package static func badBody(_ message: String) -> Problem { Problem(.badBody, at: "", message) }

    /// A member that was read, but cannot be used.
    package static func unusable(_ path: String, _ message: String) -> Problem {
        Problem(.unusableValue, at: path, message)
    }

    /// A change that was refused because of the member at `pointer`, or as a whole without one.
    package init(_ kind: Kind, refusing pointer: String, _ message: String) {
        self.init(
            kind, (pointer.isEmpty ? "" : "'\(pointer)': ") + Problem.sentence(message),
            complaints: [Complaint(path: pointer, message: message)])
    }

    /// A name that is not in use, with the nearest one; `list` is a path that lists them, if that is not to be done here.
    package static func unknown(
        _ kind: Kind, _ headline: String, _ name: String, _ message: String, among names: [String], list: String? = nil
    ) -> Problem {
        let nearest = Suggestion.nearest(to: name, among: names)
        let others =
            names.isEmpty
            ? "there are none." : list.map { "GET \($0) lists them." } ?? "there are: \(names.joined(separator: ", "))."
        return Problem(
            kind, headline + "; " + (nearest.map { "did you mean '\($0)'?" } ?? others),
            complaints: [Complaint(path: name, message: message, suggestion: nearest)])
    }

    package static func sentence(_ message: String) -> String {
        message.prefix(1).uppercased() + message.dropFirst() + "."
    }
}
