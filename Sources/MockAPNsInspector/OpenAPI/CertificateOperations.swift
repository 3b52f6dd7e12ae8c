internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of certificates.
enum CertificateOperations {
    static let table = OperationTable(
        name: "certificates",
        description: "The certificate to trust, and certificates for clients.",
        operations: [
            Operation(
                "GET",
                "/api/v1/ca.pem",
                "Take the certificate to trust",
                answers: [.other("application/x-pem-file", "The certificate, in PEM.")],
                problems: [.noCertificateAuthority]
            ),
            Operation(
                "POST",
                "/api/v1/certificates/issue",
                "Issue a client certificate",
                description:
                    "With Apple's extensions, by an authority of this server's own, which is gone with it."
                    + " The server does not take it in place of a provider token yet.",
                body: Operation.Body(
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
                ),
                answers: [.json(CertificateIssuedShape.self, "The certificate and its private key.")],
                problems: [.unusableValue]
            ),
        ],
        schemas: [:]
    )
}
