package import MockAPNsFormats
public import MockAPNsRules

/// The options that can be changed at run time.
public struct WorldOptions: Sendable {
    /// The options of the rules.
    public var rules: RuleOptions
    /// The options of devices.
    public var devices: DeviceOptions

    /// Creates options; without arguments, the defaults.
    public init(rules: RuleOptions = RuleOptions(), devices: DeviceOptions = DeviceOptions()) {
        (self.rules, self.devices) = (rules, devices)
    }
}

/// The state of a world at startup, which a reset restores.
public struct WorldStartUp: Sendable {
    /// The devices.
    public var devices: [DeviceDraft] = []
    /// The time at which the clock is frozen; `nil` for a running clock.
    public var clock: Timestamp?
    /// The faults.
    public var faults: [FaultDraft] = []
    /// The schemas of apps.
    package var schemas: [AppKey<AppSchemaName>: JSONSchema] = [:]

    /// Creates a state without devices and faults, with a running clock.
    public init() {}
}
