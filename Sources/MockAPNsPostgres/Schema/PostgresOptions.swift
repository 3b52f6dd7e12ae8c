package import MockAPNsLog

/// The settings of a database that replicas share.
package struct PostgresOptions: Sendable {
    /// How long a call waits for the server, in seconds.
    ///
    /// Calls for large amounts of data, such as snapshots, wait longer.
    package var callTimeout: Double = 2
    /// How long a replica waits for its turn, in seconds; less than `callTimeout`.
    package var turnTimeout: Double = 1
    /// After how long a turn of a replica that has stopped is ended, in seconds.
    package var idleTimeout: Double = 1
    /// How long a call waits for large amounts of data, in seconds.
    package var bulkTimeout: Double = 60
    /// How much of the history is kept.
    package var retention = Retention()
    /// The number of pushes that one call of `tidy` deletes.
    package var tidyStep = 1_024
    /// How long `tidy` does nothing after it found nothing to do, in seconds.
    package var tidyInterval: Double = 1

    package init() {}

    /// The limits of a connection for turns.
    var turns: Connection.Limits {
        Connection.Limits(call: callTimeout, lock: turnTimeout, idle: idleTimeout)
    }
    /// The limits of a connection for other short calls.
    var short: Connection.Limits { Connection.Limits(call: callTimeout, lock: turnTimeout, idle: 10) }
    /// The limits of a connection for large amounts of data.
    var bulk: Connection.Limits { Connection.Limits(call: bulkTimeout, lock: turnTimeout, idle: 60) }
}
