import NIOSSL

/// A TLS configuration that trusts mock-apns alone.
///
/// The lines between the markers are those of certs/README.md; a test compares them.
func trustingConfiguration() -> TLSConfiguration {
    // README begins
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file("certs/ca.pem")
    // README ends
    configuration.applicationProtocols = ["h2"]
    return configuration
}
