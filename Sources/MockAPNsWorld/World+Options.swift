public import MockAPNsRules

extension World {
    /// The options that can be changed at run time.
    public struct Options: Sendable {
        /// The options of the rules.
        public var rules: RuleOptions
        /// The options of devices.
        public var devices: Devices.Options
    }

    /// The current options.
    public var options: Options {
        core.withState { state, _ in Options(rules: core.ruleset.options, devices: state.devices.options) }
    }

    /// Changes options; the change applies to requests that arrive after this returns.
    ///
    /// - Returns: The options before and after the change.
    public func changeOptions(_ change: (inout Options) -> Void) -> (before: Options, after: Options) {
        let core = core
        let changed = core.withState { state, _ in
            let before = Options(rules: core.ruleset.options, devices: state.devices.options)
            var after = before
            change(&after)
            state.setDeviceOptions(after.devices)
            let rules = after.rules
            _ = core.changeRuleset { $0.with(options: rules) }
            return (before: before, after: after)
        }
        // Counts for another rate are meaningless for the new one.
        if changed.before.rules.deviceRate != changed.after.rules.deviceRate {
            deviceRates.withLock { $0 = DeviceRateLimiter() }
        }
        return changed
    }
}

extension WorldState {
    /// Sets the options of devices, and applies them to devices that are already offline.
    mutating func setDeviceOptions(_ options: Devices.Options) {
        let isOther = options.inactiveAfter != devices.options.inactiveAfter
        devices.options = options
        guard isOther else { return }
        for place in 0..<UInt32(devices.devices.end) {
            let device = devices.devices.pointer(to: place).pointee
            guard device.isUsed, !device.isOnline, !device.isInactive else { continue }
            setGivingUp(place, since: device.offlineSince)
        }
    }
}
