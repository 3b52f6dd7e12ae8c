/// The bodies of error responses: compact JSON, as in every observed response of the real service.
public enum ResponseBody {
    /// The body for each reason, by raw value, without the timestamp of a 410.
    private static let bodies = Reason.allCases.map { Array("{\"reason\":\"\($0.name)\"}".utf8) }

    /// Returns the body of the response that rejects a push for `reason`.
    ///
    /// A 410 contains `timestamp`, the time in milliseconds at which the device token became invalid
    /// (documented; the order of the two keys is inferred).
    public static func bytes(for reason: Reason, deadSince: Timestamp?) -> [UInt8] {
        let body = bodies[Int(reason.rawValue)]
        guard reason.carriesTimestamp, let deadSince else { return body }
        return body.dropLast() + Array(",\"timestamp\":\(deadSince.milliseconds)}".utf8)
    }
}
