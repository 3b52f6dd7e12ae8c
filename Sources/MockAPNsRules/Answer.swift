/// The bodies of error answers: compact JSON, as every observed answer of the real service has it.
public enum Answer {
    /// The body for each reason, by raw value; the 410s lack their timestamp.
    private static let bodies = Reason.allCases.map { Array("{\"reason\":\"\($0.name)\"}".utf8) }

    /// The body that refuses a push for `reason`.
    ///
    /// A 410 carries `timestamp`, the milliseconds at which the device token died (documented; the order of the
    /// two keys is inferred).
    public static func body(for reason: Reason, deadSince: Timestamp?) -> [UInt8] {
        let body = bodies[Int(reason.rawValue)]
        guard reason.carriesTimestamp, let deadSince else { return body }
        return body.dropLast() + Array(",\"timestamp\":\(deadSince.milliseconds)}".utf8)
    }
}
