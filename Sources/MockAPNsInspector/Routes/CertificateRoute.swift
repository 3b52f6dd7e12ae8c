/// The certificate that clients have to trust.
enum CertificateRoute {
    /// `GET /api/v1/ca.pem`.
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
}
