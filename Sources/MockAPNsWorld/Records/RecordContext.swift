internal import MockAPNsRules

/// What the world knows of a record besides its bytes.
///
/// Taken under the world's lock. The bytes never change, so the record itself is copied after the lock is released.
struct RecordContext {
    let epoch: UInt64
    /// When the push was answered, on the world's clock.
    let answeredAt: Timestamp
    /// `nil` when the connection is not kept any more.
    let connection: ConnectionRecord?
    /// `nil` when the push was refused.
    let delivery: Delivery?
}
