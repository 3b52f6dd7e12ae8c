package import MockAPNsLog

/// Timeouts, retention and cleanup of a PostgreSQL database.
package struct PostgresOptions: Sendable {
    /// The timeout of a call, in seconds.
    ///
    /// Calls for large amounts of data, such as snapshots, use `bulkTimeout`.
    package var callTimeout: Double = 2
    /// How long a replica waits for its turn, in seconds; must be less than `callTimeout`.
    package var turnTimeout: Double = 1
    /// How long a turn may be idle before the database ends it, in seconds: the replica has probably stopped.
    package var idleTimeout: Double = 1
    /// The timeout of a call for large amounts of data, in seconds.
    package var bulkTimeout: Double = 60
    /// How much of the history is kept.
    package var retention = Retention()
    /// The maximum number of pushes or changes that one call of `tidy` deletes.
    package var tidyStep = 1_024
    /// The pause of `tidy` after it found nothing to do, in seconds.
    package var tidyInterval: Double = 1

    package init() {}

    /// The limits of a connection for turns.
    var turns: Connection.Limits { Connection.Limits(call: callTimeout, lock: turnTimeout, idle: idleTimeout) }
    /// The limits of a connection for other short calls.
    var short: Connection.Limits { Connection.Limits(call: callTimeout, lock: turnTimeout, idle: 10) }
    /// The limits of a connection for large amounts of data.
    var bulk: Connection.Limits { Connection.Limits(call: bulkTimeout, lock: turnTimeout, idle: 60) }
}
