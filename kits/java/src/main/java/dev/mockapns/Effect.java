package dev.mockapns;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What a fault does, and how often.
 *
 * @param preset the name of a preset, or null
 * @param action the debug API's {@code do}, such as {@code Map.of("lose", true)}, or the parameters of the preset
 * @param when how often; by default, for each push that matches
 */
public record Effect(String preset, Map<String, ?> action, Map<String, Integer> when) {
    /** Any effect of the debug API, as its {@code do}. */
    public static Effect of(Map<String, ?> action) { return new Effect(null, action, Map.of()); }
    /** Answers with a reason, such as TooManyRequests, and its status. */
    public static Effect respond(String reason) { return of(Map.of("respond", Map.of("reason", reason))); }
    /** Answers with a status. */
    public static Effect respond(int status) { return of(Map.of("respond", Map.of("status", status))); }
    /** Delays the response. */
    public static Effect delay(Duration by) { return of(Map.of("delay", Map.of("for", by.toMillis() + "ms"))); }
    /** Sends a GOAWAY after the response, so that the provider has to reconnect. */
    public static Effect goAway() { return of(Map.of("goaway", Map.of())); }
    /** Resets the stream instead of a response. */
    public static Effect resetStream() { return of(Map.of("stream", Map.of("reset", "INTERNAL_ERROR"))); }
    /** Resets the TCP connection instead of a response. */
    public static Effect resetConnection() { return of(Map.of("connection", "rst")); }
    /** Accepts the push, but never delivers it. */
    public static Effect lose() { return of(Map.of("lose", true)); }
    /** An observed or documented problem by its name, with its parameters, which docs/reference.md lists. */
    public static Effect preset(String name, Map<String, ?> action) { return new Effect(name, action, Map.of()); }

    /** The same at most this often. */
    public Effect times(int count) { return with("times", count); }
    /** The same, but this many matching pushes pass first. */
    public Effect skip(int count) { return with("skip", count); }

    private Effect with(String name, int count) {
        Map<String, Integer> more = new HashMap<>(when);
        more.put(name, count);
        return new Effect(preset, action, more);
    }
}
