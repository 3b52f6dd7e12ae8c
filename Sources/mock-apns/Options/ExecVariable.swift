/// The environment variables that `exec` sets for its command, besides those of options.
///
/// Kubernetes sets none of these names for a service called mock-apns.
enum ExecVariable: String, CaseIterable {
    case host = "MOCK_APNS_HOST"
    case port = "MOCK_APNS_APNS_PORT"
    case url = "MOCK_APNS_URL"
    case apiURL = "MOCK_APNS_API_URL"
    /// Not set when no certificate authority is known for the user's own certificate.
    case authority = "MOCK_APNS_CA_FILE"
    case keyFile = "MOCK_APNS_KEY_FILE"
    case keyID = "MOCK_APNS_KEY_ID"
    case teamID = "MOCK_APNS_TEAM_ID"
}
