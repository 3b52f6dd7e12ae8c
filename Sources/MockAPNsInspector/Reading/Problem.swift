internal import MockAPNsAPI
internal import MockAPNsFormats

/// Why a request to the API is not answered as asked: a problem document (RFC 9457).
struct Problem: Error, Equatable {
    /// The kinds of problems; the name is stable, for programs.
    ///
    /// To add one: add a case and its row.
    enum Kind: String, CaseIterable {
        case badParameter = "bad-parameter"
        case badPath = "bad-path"
        case badBody = "bad-body"
        case unknownPath = "unknown-path"
        case unknownPush = "unknown-push"
        case unknownDevice = "unknown-device"
        case unknownToken = "unknown-token"
        case unknownFault = "unknown-fault"
        case unknownPreset = "unknown-preset"
        case unknownKey = "unknown-key"
        case unknownNamespace = "unknown-namespace"
        case unknownStrings = "unknown-strings"
        case unknownCategory = "unknown-category"
        case noCertificateAuthority = "no-certificate-authority"
        case notAuthorized = "not-authorized"
        case methodNotAllowed = "method-not-allowed"
        case hostNotAllowed = "host-not-allowed"
        case shutdownNotAllowed = "shutdown-not-allowed"
        case originNotAllowed = "origin-not-allowed"
        case labelTaken = "label-taken"
        case tokenTaken = "token-taken"
        case keyTaken = "key-taken"
        case registrationTaken = "registration-taken"
        case namespaceTaken = "namespace-taken"
        case namespaceGone = "namespace-gone"
        case standardNamespace = "standard-namespace"
        case bodyTooLarge = "body-too-large"
        case unusableValue = "unusable-value"
        case tooMany = "too-many"
        case tooMuchWork = "too-much-work"
        case tooBusy = "too-busy"
        case tooManyStreams = "too-many-streams"
        case tooManyFaults = "too-many-faults"
        case tooManyNamespaces = "too-many-namespaces"
        case tooManyStrings = "too-many-strings"
        case tooManyCategories = "too-many-categories"
        case cannotListen = "cannot-listen"
        case notReady = "not-ready"
        case notConvertible = "not-convertible"
        case verificationFailed = "verification-failed"

        /// The status and the words that all problems of a kind share.
        var row: (status: Int, title: String) {
            switch self {
            case .badParameter: (400, "A query parameter is unknown or has a value that cannot be used")
            case .badPath: (400, "The path has a part that cannot be used")
            case .badBody: (400, "The body is not what this path takes")
            case .unknownPath: (404, "There is nothing at this path")
            case .unknownPush: (404, "There is no such push")
            case .unknownDevice: (404, "There is no such device")
            case .unknownToken: (404, "No device has this device token")
            case .unknownFault: (404, "There is no such fault")
            case .unknownPreset: (404, "There is no such preset")
            case .unknownKey: (404, "There is no such key")
            case .unknownNamespace: (404, "There is no such namespace")
            case .unknownStrings: (404, "There is no such strings table")
            case .unknownCategory: (404, "There is no such category")
            case .noCertificateAuthority: (404, "The server has no certificate authority of its own")
            case .notAuthorized: (401, "The request does not show the token of the API")
            case .methodNotAllowed: (405, "The path does not take this method")
            case .hostNotAllowed: (421, "The request is for a host that this server does not answer for")
            case .shutdownNotAllowed: (403, "The server may not be shut down over the API")
            case .originNotAllowed: (403, "The request comes from a page of another origin")
            case .labelTaken: (409, "The label belongs to another device")
            case .tokenTaken: (409, "The device token belongs to another app")
            case .keyTaken: (409, "The key identifier belongs to another key")
            case .registrationTaken: (409, "The app is on the device already")
            case .namespaceTaken: (409, "The name belongs to another namespace")
            case .namespaceGone: (409, "The namespace was removed meanwhile")
            case .standardNamespace: (409, "The namespace that every server has is there for good")
            case .bodyTooLarge: (413, "The body is too large")
            case .unusableValue: (422, "A value can be read, but not used")
            case .tooMany: (422, "There would be more devices than the server holds")
            case .tooMuchWork: (422, "The conditions cost too much")
            case .tooBusy: (503, "Too many requests at the same time")
            case .tooManyStreams: (503, "Too many event streams at the same time")
            case .tooManyFaults: (422, "There would be more faults than the server holds")
            case .notConvertible: (422, "The push has no such form")
            case .verificationFailed: (409, "The pushes are not those that were expected")
            case .tooManyNamespaces: (422, "There are as many namespaces as the server holds")
            case .tooManyStrings: (422, "There would be more strings than the server holds")
            case .tooManyCategories: (422, "There would be more categories than the server holds")
            case .cannotListen: (500, "No port could be bound")
            case .notReady: (503, "The server is not ready")
            }
        }
    }

    let kind: Kind
    /// What happened this time, and what to do about it.
    let detail: String
    var complaints: [Complaint] = []
    /// The methods that the path does take.
    var allowedMethods: [String] = []
    /// Members of the document that only some kinds have.
    var details = APIObject<ProblemShape>()
    /// The problem as a text for people, where one is better than a document.
    var report: String?

    /// The problem document.
    var document: APIObject<ProblemShape> {
        var document = details
        document.detail = detail
        document.errors = complaints.map { complaint in
            APIObject<ComplaintShape> {
                $0.message = complaint.message
                $0.path = complaint.path
                $0.suggestion = complaint.suggestion
            }
        }
        document.status = kind.row.status
        document.title = kind.row.title
        document.type = "urn:mock-apns:problem:\(kind.rawValue)"
        return document
    }
}

extension Problem {
    /// A part of a path that cannot be used.
    ///
    /// - Parameters:
    ///   - text: The part.
    ///   - message: What is wrong with it, as in "is not a device token".
    ///   - suggestion: What was probably meant.
    /// - Returns: The problem.
    static func badPath(_ text: String, _ message: String, suggestion: String? = nil) -> Problem {
        Problem(
            kind: .badPath,
            detail: "'\(text)' \(message).",
            complaints: [Complaint(path: text, message: message, suggestion: suggestion)]
        )
    }

    /// A name that nothing has.
    ///
    /// - Parameters:
    ///   - kind: The kind of the problem.
    ///   - headline: The first part of the text, as in "There is no key 'X'".
    ///   - name: The name.
    ///   - message: What is wrong with it, as in "is the identifier of no key".
    ///   - names: The names that there are.
    ///   - list: The path that lists them, instead of a list in the text.
    /// - Returns: The problem, with the nearest name.
    static func unknown(
        _ kind: Kind,
        _ headline: String,
        _ name: String,
        _ message: String,
        among names: [String],
        list: String? = nil
    ) -> Problem {
        let nearest = Suggestion.nearest(to: name, among: names)
        let others =
            names.isEmpty
            ? "there are none."
            : list.map { "GET \($0) lists them." } ?? "there are: \(names.joined(separator: ", "))."
        return Problem(
            kind: kind,
            detail: headline + "; " + (nearest.map { "did you mean '\($0)'?" } ?? others),
            complaints: [Complaint(path: name, message: message, suggestion: nearest)]
        )
    }

    /// Returns a message as a sentence.
    static func sentence(_ message: String) -> String {
        message.prefix(1).uppercased() + message.dropFirst() + "."
    }
}
