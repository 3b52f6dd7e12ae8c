extension RouteGroup {
    /// The operations of the API by resource, in the order in which `/docs` shows them.
    static let all = [
        RouteGroup(
            "pushes", "The recorded pushes, including rejected ones.", PushRoutes.routes + SavedPushRoutes.routes),
        RouteGroup(
            "previews", "An approximation of what iOS shows for a push, as data and as a picture.",
            PreviewRoutes.routes + StringsRoutes.routes),
        RouteGroup(
            "categories",
            "Notification categories, which are defined in the app. Upload them to preview their action buttons.",
            CategoryRoutes.routes),
        RouteGroup(
            "apps",
            "Names and icons of apps, for previews, and schemas of their payloads, with which pushes are checked.",
            AppDescriptionRoutes.routes + AppSchemaRoutes.routes),
        RouteGroup(
            "verify",
            "Assertions: 200 when they pass, 409 with the closest pushes when they fail. With"
                + " Accept: text/plain, the response is only the report.", VerifyRoutes.routes),
        RouteGroup("exchange", "Moving pushes from one server to another.", ExchangeRoutes.routes),
        RouteGroup("devices", "Simulated devices and the pushes that they receive.", DeviceRoutes.routes),
        RouteGroup(
            "activities", "Live Activities on devices, which pushes start, update and end.", ActivityRoutes.routes),
        RouteGroup("registrations", "Apps on devices, each with its device token.", RegistrationRoutes.routes),
        RouteGroup("channels", "Broadcast channels and their subscribers.", ChannelRoutes.routes),
        RouteGroup("feedback", "Invalid device tokens, to which providers should stop pushing.", FeedbackRoutes.routes),
        RouteGroup(
            "faults", "Faults to inject. The first fault in the list that fires is applied.", FaultRoutes.routes),
        RouteGroup(
            "clock", "The clock for expiration, storage, the age of provider tokens and 410.", ClockRoutes.routes),
        RouteGroup("keys", "Keys for signing provider tokens.", KeyRoutes.routes),
        RouteGroup(
            "certificates", "The certificate authority to trust, and certificates for clients.", CertificateRoute.routes
        ), RouteGroup("settings", "Settings that can be changed while the server runs.", SettingsRoutes.routes),
        RouteGroup(
            "namespaces", "Separate worlds, so that parallel tests do not see each other's pushes.",
            NamespaceRoutes.routes),
        RouteGroup("events", "A live stream of everything that happens.", EventRoutes.routes),
        RouteGroup("marks", "Marks between pushes, such as the start of a test.", MarkRoutes.routes),
        RouteGroup("service", "The server itself.", ServiceRoutes.routes),
    ]
}
