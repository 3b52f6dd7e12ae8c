public import MockAPNsRules

/// What another server recorded about a push besides the request: when it was answered, and the steps of its
/// notification in order, with their times.
public typealias AdoptedAnswer = (time: WorldClock.Reading, steps: [(event: DeliveryEvent, at: Timestamp)])
