extension RouteGroup {
    /// The operations of the API by resource, in the order in which `/docs` shows them.
    static let all = [
        PushRoutes.group, PreviewRoutes.group, CategoryRoutes.group, VerifyRoutes.group, ExchangeRoutes.group,
        DeviceRoutes.group, RegistrationRoutes.group, FeedbackRoutes.group, FaultRoutes.group,
        ClockRoutes.group,
        KeyRoutes.group, CertificateRoute.group, SettingsRoutes.group, NamespaceRoutes.group,
        EventRoutes.group,
        MarkRoutes.group, ServiceRoutes.group,
    ]
}
