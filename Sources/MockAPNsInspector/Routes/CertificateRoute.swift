internal import FoundationEssentials
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

/// The certificate that clients have to trust, and certificates for clients.
enum CertificateRoute {
    static let group = RouteGroup(
        "certificates",
        "The certificate to trust, and certificates for clients.",
        [
            .get("/api/v1/ca.pem", "Take the certificate to trust", authority)
                .gives(.other("application/x-pem-file", "The certificate, in PEM."))
                .fails(.noCertificateAuthority),
            .post("/api/v1/certificates/issue", "Issue a client certificate", issue)
                .detail(
                    "With Apple's extensions, by an authority of this server's own, which is gone with it."
                        + " The server does not take it in place of a provider token yet."
                )
                .reads(draft)
                .gives(.json(CertificateIssuedShape.self, "The certificate and its private key."))
                .fails(.unusableValue),
        ]
    )

    /// How a certificate and its key are handed out; the names are part of the API.
    enum Format: String, CaseIterable {
        case pem
        case p12
    }

    static func authority(_ call: Route.Call) throws(Problem) -> APIResponse {
        guard let authority = call.subject.certificateAuthority else {
            throw Problem(
                kind: .noCertificateAuthority,
                detail: "The server was started with a certificate of the user's own (--tls-cert):"
                    + " trust whatever issued it."
            )
        }
        return APIResponse(contentType: "application/x-pem-file", body: .bytes(Array(authority.pem.utf8)))
    }

    /// `POST /api/v1/certificates/issue`: the only answer that ever has the private key.
    static func issue(_ call: Route.Call) throws(Problem) -> APIResponse {
        let draft = try call.read(draft)
        do {
            let issued = try call.subject.server.clientCertificates.issue(
                bundleID: draft.topic,
                environment: draft.scope.environment
            )
            let opener = draft.password ?? DevelopmentKey.randomIdentifier(length: 20)
            let file = draft.format == .p12 ? try issued.pkcs12(password: opener) : nil
            return .json(
                APIObject<CertificateIssuedShape> {
                    $0.ca = issued.authorityPEM
                    $0.certificate = issued.certificatePEM
                    $0.environment = draft.scope.rawValue
                    $0.fileName = "\(draft.topic).\(draft.format.rawValue)"
                    $0.fingerprint = issued.fingerprint
                    $0.format = draft.format.rawValue
                    $0.key = issued.keyPEM
                    $0.notAfter = issued.notAfter.rfc3339
                    $0.p12 = file.map { Data($0).base64EncodedString() }
                    $0.password = file == nil ? nil : opener
                    $0.subject = issued.subject
                    $0.topic = draft.topic
                    $0.topics = issued.topics
                }
            )
        } catch {
            throw Problem(
                kind: .unusableValue,
                detail: "The certificate could not be issued: \(error.description)."
            )
        }
    }

    private struct Draft: Sendable {
        var topic = ""
        var format = Format.pem
        var scope = KeyScope.both
        var password: String?
    }

    private static let draft = RequestBody<Draft>(
        .object(
            Draft(),
            .required("topic", bundleID, "The bundle identifier of an app.") { $0.topic = $1 },
            .optional("format", .word, "pem without; p12 is PKCS#12.") { $0.format = $1 },
            .optional("environment", .word, "Both without; then it is for VoIP and complications, too.") {
                $0.scope = $1
            },
            .optional("password", password, "Opens the PKCS#12 file; made up without.") { $0.password = $1 }
        ) { draft, _, body in
            if let suffix = [".voip", ".complication"].first(where: draft.topic.hasSuffix) {
                body.complain(
                    "is not a bundle identifier; the certificate of an app is for its \(suffix) as well",
                    at: "topic",
                    suggestion: String(draft.topic.dropLast(suffix.count))
                )
            }
            if draft.password != nil, draft.format != .p12 {
                body.complain(#"is for "format":"p12"; a key in PEM is not encrypted here"#, at: "password")
            }
        },
        use: .draft,
        example: ["topic": "com.example.app", "format": "p12"]
    )

    private static let bundleID = Form<String>(
        ofText: "a bundle identifier: 1 to 200 letters, digits or -._",
        schema: .text("^[A-Za-z0-9._-]{1,200}$").example("com.example.app")
    ) { ClientCertificates.isBundleID($0) ? $0 : nil }

    private static let password = Form<String>(
        ofText: "1 to 100 characters, none of them a control character",
        schema: .text("^[^\\x00-\\x1F\\x7F-\\x9F]{1,100}$")
    ) { text in
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return (1...100).contains(text.unicodeScalars.count) && isPlain ? text : nil
    }
}
