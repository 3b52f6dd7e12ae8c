internal import MockAPNsWorld

/// To be a device, as long as the connection lasts.
enum ConnectRoute {
    static func connect(_ call: Route.Call) throws(Problem) -> APIResponse {
        let reference = try call.deviceReference()
        guard call.request.method != "HEAD" else {
            // Who wants to see the headers is no device, and must not be given what is stored for one.
            _ = try call.withDevices { devices throws(DeviceError) in try devices.device(reference) }
            return .events(NoEvents())
        }
        let link = try call.withDevices { devices throws(DeviceError) in try devices.connect(reference) }
        return .events(DeviceEvents(link, in: call.subject))
    }
}
