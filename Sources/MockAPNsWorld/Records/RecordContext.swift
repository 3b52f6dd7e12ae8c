internal import MockAPNsRules

/// The properties of a record that are not in its bytes.
///
/// Read under the world's lock. The bytes never change, so the record itself is copied after the lock is
/// released.
struct RecordContext {
    let epoch: UInt64
    /// When the push was answered, on the world's clock.
    let answeredAt: Timestamp
    /// `nil` if the connection is no longer kept.
    let connection: ConnectionRecord?
    /// `nil` if the push was rejected.
    let delivery: Delivery?
}
