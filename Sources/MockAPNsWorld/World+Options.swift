public import MockAPNsRules

extension World {
    /// What can be set while the world is in use.
    public struct Options: Sendable {
        /// How strict the rules are.
        public var rules: RuleOptions
        /// How devices are treated.
        public var devices: Devices.Options
    }

    /// What is set.
    public var options: Options {
        core.withState { state, _ in Options(rules: core.ruleset.options, devices: state.devices.options) }
    }

    /// Sets something; requests that arrive after this are judged by it.
    ///
    /// - Returns: what was set before, and what is set now.
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
        // What was counted against another rate says nothing about this one.
        if changed.before.rules.deviceRate != changed.after.rules.deviceRate {
            deviceRates.withLock { $0 = DeviceRateLimiter() }
        }
        return changed
    }
}

extension WorldState {
    /// Treats devices by these options from now on, those that are offline already included.
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
