internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules

enum CertificateRoute {
    static let routes: [Route] = [
        .get("/api/v1/ca.pem", "Download the certificate authority", authority).gives(
            .other("application/x-pem-file", "The certificate of the authority, in PEM.")
        ).fails(.noCertificateAuthority),
        .get("/api/v1/certificates", "List client certificates", list).detail(
            "The issued certificates, and the authorities whose certificates authenticate providers."
        ).gives(.json(CertificateListShape.self, "The certificates.")),
        .post("/api/v1/certificates/issue", "Issue a client certificate", reads: draft, issue).uses(.ignores).detail(
            "Has Apple's extensions, and authenticates a provider in place of a provider token."
        ).gives(.json(CertificateIssuedShape.self, "The certificate and its private key.")).fails(.unusableValue),
        .delete("/api/v1/certificates/{serial}", "Revoke a client certificate", revoke).uses(.ignores).detail(
            "Applies to new connections. The certificate stays in the list."
        ).gives(.nothing("Revoked.")).fails(.unknownCertificate, .unusableValue),
    ]

    private static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        .json(CertificateListShape.self, call.subject.server.clientCertificates)
    }

    private static func revoke(_ call: Route.Call) throws(Problem) -> APIResponse {
        let certificates = call.subject.server.clientCertificates
        let serial = (call.pathParts["serial"] ?? "").uppercased()
        let isKnown: Bool
        do { isKnown = try certificates.revoke(serial: serial) } catch {
            throw Problem(.unusableValue, "The certificate could not be revoked: \(error.description).")
        }
        guard isKnown else {
            throw .unknown(
                .unknownCertificate, "The server has issued no certificate with the serial number '\(serial)'", serial,
                "is not the serial number of an issued certificate", among: certificates.issued.map(\.serial))
        }
        return .done
    }

    static func authority(_ call: Route.Call) throws(Problem) -> APIResponse {
        guard let authority = call.subject.certificateAuthority else {
            throw Problem(
                .noCertificateAuthority,
                "The server was started with a certificate of the user's own (--tls-cert):"
                    + " trust whatever issued it.")
        }
        return .text(authority.pem, as: "application/x-pem-file")
    }

    private static func issue(_ call: Route.Call, _ draft: Draft) throws(Problem) -> APIResponse {
        do {
            let issued = try call.subject.server.clientCertificates.issue(draft.certificate)
            var file: (bytes: [UInt8], password: String)?
            if draft.format != .pem {
                let password = draft.password ?? DevelopmentKey.randomIdentifier(length: 20)
                file = (try issued.pkcs12(password: password, isLegacy: draft.format == .p12Legacy), password)
            }
            let granted = GrantedCertificate(
                issued, bundleID: draft.certificate.bundleID,
                scope: draft.scope ?? (draft.certificate.isForManagement ? .production : .both), format: draft.format,
                file: file)
            return .json(CertificateIssuedShape.self, granted)
        } catch { throw Problem(.unusableValue, "The certificate could not be issued: \(error.description).") }
    }

    private struct Draft: Sendable {
        var certificate = ClientCertificates.Draft(bundleID: "")
        var format = GrantedCertificate.Format.pem
        /// `nil` for the usual ones.
        var scope: KeyScope?
        var password: String?
    }

    private static let draft = RequestBody<Draft>(
        .object(
            Draft(),
            .optional("topic", bundleID, "Bundle identifier of the app; required unless mdm is true.") {
                $0.certificate.bundleID = $1
            },
            .optional("format", .word, "pem by default; p12 is PKCS#12; p12-legacy is for old clients.") {
                $0.format = $1
            },
            .optional(
                "environment", .word,
                "Both by default, and then the certificate is also for VoIP and complications; production for mdm."
            ) { ($0.scope, $0.certificate.environment) = ($1, $1.environment) },
            .optional("topics", topics, "The topics of the certificate, in place of the usual ones.") {
                $0.certificate.topics = $1
            }, .optional("starts", .duration, "From now; -1d by default.") { $0.certificate.startsIn = $1 / 1_000_000 },
            .optional("expires", .duration, "From now; 365d by default, -1d for an expired one.") {
                $0.certificate.expiresIn = $1 / 1_000_000
            },
            .optional("selfSigned", .boolean, "Signed with its own key, so that it is not trusted.") {
                $0.certificate.isSelfSigned = $1
            },
            .optional("mdm", .boolean, "For device management; the topic is generated by default.") {
                $0.certificate.isForManagement = $1
            },
            .optional("password", password, "Password of the PKCS#12 file; generated by default.") { $0.password = $1 }
        ) { draft, _, body in complete(&draft, &body) }, use: .draft,
        example: ["topic": "com.example.app", "format": "p12"])

    /// Checks what members mean together.
    private static func complete(_ draft: inout Draft, _ body: inout FormReader) {
        let topic = draft.certificate.bundleID
        if draft.certificate.isForManagement {
            if topic.isEmpty { draft.certificate.bundleID = ClientCertificates.Draft.managementTopic() }
            if !draft.certificate.bundleID.hasPrefix(ClientCertificates.Draft.managementPrefix) {
                body.complain(
                    "is not a topic for device management; expected com.apple.mgmt.External.<name>", at: "topic")
            }
            if draft.scope == .both {
                body.complain(
                    "is not possible with mdm: certificates for device management are for production only",
                    at: "environment")
            }
        } else if topic.isEmpty {
            body.complain("is missing; expected the bundle identifier of the app", at: "topic")
        }
        if let type = Topic.suffixType(of: topic) {
            let suffix = type.row.topicSuffix
            body.complain(
                "is not a bundle identifier; "
                    + (type.row.needsProviderToken
                        ? "pushes to a topic with \(suffix) need a provider token"
                        : "the certificate of an app also covers its \(suffix)"),
                at: "topic", suggestion: Topic.bundleID(of: topic))
        }
        if draft.password != nil, draft.format == .pem {
            body.complain(#"is for "format":"p12"; a key in PEM is not encrypted here"#, at: "password")
        }
    }

    private static let topics = Form<[String]>.list(
        of: bundleID, emptyHint: "without it, the certificate has the usual topics"
    ).map { topics, body in
        if topics.count <= ClientCertificates.Draft.mostTopics { return topics }
        body.complain(
            "has \(topics.count) entries; a certificate has \(ClientCertificates.Draft.mostTopics) topics at most")
        return nil
    }

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
