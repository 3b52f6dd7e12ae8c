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
            Route("GET", "/api/v1/ca.pem", "Take the certificate to trust", answer: authority)
                .gives(.other("application/x-pem-file", "The certificate, in PEM."))
                .fails(.noCertificateAuthority),
            Route("POST", "/api/v1/certificates/issue", "Issue a client certificate", answer: issue)
                .detail(
                    "With Apple's extensions, by an authority of this server's own, which is gone with it."
                        + " The server does not take it in place of a provider token yet."
                )
                .reads(
                    Route.Body(
                        schema: .closed(
                            [
                                "topic": Schema.text("^[A-Za-z0-9._-]{1,200}$", example: "com.example.app")
                                    .described("The bundle identifier of an app."),
                                "format": Schema.words(CertificateRoute.Format.self).orNull
                                    .described("pem without; p12 is PKCS#12."),
                                "environment": Schema.environments.orNull
                                    .described("Both without; then it is for VoIP and complications, too."),
                                "password": Schema.text("^[^\\x00-\\x1F\\x7F-\\x9F]{1,100}$").orNull
                                    .described("Opens the PKCS#12 file; made up without."),
                            ],
                            required: ["topic"]
                        ),
                        example: ["topic": "com.example.app", "format": "p12"]
                    )
                )
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
        var body = try BodyReader(
            call.request.body,
            known: ["topic", "format", "environment", "password"],
            null: .absent
        )
        let topic = body.required("topic", bundleID)
        let format = body.optional("format", Form<Format>.word) ?? .pem
        let scope = body.optional("environment", Form<KeyScope>.word) ?? .both
        let password = body.optional("password", password)
        if let topic, let suffix = [".voip", ".complication"].first(where: topic.hasSuffix) {
            body.complain(
                "is no bundle identifier; the certificate of an app is for its \(suffix) as well",
                at: "topic",
                suggestion: String(topic.dropLast(suffix.count))
            )
        }
        if password != nil, format != .p12 {
            body.complain(#"is for "format":"p12"; a key in PEM is not encrypted here"#, at: "password")
        }
        try body.finish()
        guard let topic else { preconditionFailure("a description without complaints is whole") }
        do {
            let issued = try call.subject.server.clientCertificates.issue(
                bundleID: topic,
                environment: scope.environment
            )
            let opener = password ?? DevelopmentKey.randomIdentifier(length: 20)
            let file = format == .p12 ? try issued.pkcs12(password: opener) : nil
            return .json(
                APIObject<CertificateIssuedShape> {
                    $0.ca = issued.authorityPEM
                    $0.certificate = issued.certificatePEM
                    $0.environment = scope.rawValue
                    $0.fileName = "\(topic).\(format.rawValue)"
                    $0.fingerprint = issued.fingerprint
                    $0.format = format.rawValue
                    $0.key = issued.keyPEM
                    $0.notAfter = issued.notAfter.rfc3339
                    $0.p12 = file.map { Data($0).base64EncodedString() }
                    $0.password = file == nil ? nil : opener
                    $0.subject = issued.subject
                    $0.topic = topic
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

    private static let bundleID = Form<String>(ofText: "a bundle identifier: 1 to 200 letters, digits or -._")
    { text in
        ClientCertificates.isBundleID(text) ? text : nil
    }

    private static let password = Form<String>(
        ofText: "1 to 100 characters, none of them a control character"
    ) { text in
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return (1...100).contains(text.unicodeScalars.count) && isPlain ? text : nil
    }
}
