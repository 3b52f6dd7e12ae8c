package dev.mockapns;

import java.time.*;
import java.util.Map;

/** The clock of the server, by which provider tokens and stored notifications expire. Tests can move it. */
public final class ServerClock extends Clock {
    private final MockAPNs apns;
    private final ZoneId zone;

    ServerClock(MockAPNs apns, ZoneId zone) {
        this.apns = apns;
        this.zone = zone;
    }

    /** Moves the clock forward; everything that becomes due has happened when this returns. */
    public void advance(Duration by) { apns.call("POST", "clock/advance", Map.of("by", by.toMillis() + "ms")); }
    /** Stops the clock; {@link #advance} still moves it. */
    public void freeze() { apns.call("PUT", "clock", Map.of("mode", "frozen")); }
    /** Returns the clock to the system's time. */
    public void run() { apns.call("PUT", "clock", Map.of("mode", "real")); }
    @Override public Instant instant() { return Instant.parse(apns.call("GET", "clock", null).get("now").text()); }
    @Override public ZoneId getZone() { return zone; }
    @Override public Clock withZone(ZoneId other) { return new ServerClock(apns, other); }
}
