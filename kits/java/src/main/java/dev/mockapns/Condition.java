package dev.mockapns;

import java.util.*;

/**
 * A condition for pushes. Only accepted pushes match, unless a condition is about the outcome, the status or the reason
 * of the response.
 *
 * @param path the names of a member of the debug API's match, with dots between them: {@code title.startsWith}
 * @param value its value: a String, a Number, a Boolean, a Map or a List
 */
public record Condition(String path, Object value) {
    private static final String ALL = "";

    /** A search as in the inspector: {@code type:alert is:delivered}. */
    public static Condition query(String text) { return new Condition("q", text); }
    /** Sent to an app on a phone. */
    public static Condition to(Phone phone) { return token(phone.token()); }
    /** Sent to a device token, in hexadecimal digits. */
    public static Condition token(String hex) { return new Condition("token", hex); }
    /** Sent to the device with this name. */
    public static Condition device(String name) { return new Condition("device", name); }
    /** The topic, in apns-topic. */
    public static Condition topic(String topic) { return new Condition("topic", topic); }
    /** The push type, such as alert or background. */
    public static Condition type(String name) { return new Condition("pushType", name); }
    /** The priority: 10, 5 or 1. */
    public static Condition priority(int priority) { return new Condition("priority", priority); }
    /** The time in apns-expiration, in UNIX seconds. */
    public static Condition expiration(long seconds) { return new Condition("expiration", seconds); }
    /** The value of apns-collapse-id. */
    public static Condition collapseId(String id) { return new Condition("collapseId", id); }
    /** The title of the alert. */
    public static Condition title(String title) { return new Condition("title", title); }
    /** The title of the alert contains this text. */
    public static Condition titleContains(String part) { return new Condition("title.contains", part); }
    /** The text of the alert. */
    public static Condition body(String body) { return new Condition("body", body); }
    /** The text of the alert contains this text. */
    public static Condition bodyContains(String part) { return new Condition("body.contains", part); }
    /** The apns-id of the response. */
    public static Condition apnsId(String id) { return new Condition("apnsId", id); }
    /** The key that signed the provider token. */
    public static Condition keyId(String id) { return new Condition("keyId", id); }
    /** The team of the provider token. */
    public static Condition teamId(String id) { return new Condition("teamId", id); }
    /** The environment of the listener: sandbox or production. */
    public static Condition environment(String name) { return new Condition("environment", name); }
    /** The delivery state, such as delivered or stored-device-offline. */
    public static Condition delivery(String state) { return new Condition("delivery", state); }
    /** The broadcast channel, in Base64. */
    public static Condition channel(String id) { return new Condition("channel", id); }
    /** A value of the payload, by its JSON Pointer: {@code payload("/orderID", "17")}. */
    public static Condition payload(String pointer, Object value) {
        return new Condition("payload", Map.of("at", pointer, "equals", value));
    }
    /** A header field of the request, by its name in lower case. */
    public static Condition header(String name, String value) { return new Condition("headers." + name, value); }
    /** The push has this warning, by its identifier in docs/lints.md. */
    public static Condition warning(String id) { return new Condition("lint", id); }
    /** The phone ignored a push to a Live Activity for this reason, such as stale-timestamp. */
    public static Condition ignored(String reason) { return new Condition("ignored", reason); }
    /** The service that the server forwards pushes to answered with this status. */
    public static Condition forwarded(int status) { return new Condition("forwarded", status); }
    /** The phone did not ignore it. */
    public static Condition notIgnored() { return new Condition("ignored.absent", true); }
    /** Fits this schema of its app: {@code payload} or {@code content-state:RideAttributes}. */
    public static Condition fits(String schema) { return new Condition("fits", schema); }
    /** Answered with 200. */
    public static Condition accepted() { return new Condition("verdict.outcome", "accepted"); }
    /** Answered with a status other than 200. */
    public static Condition rejected() { return new Condition("verdict.outcome", "rejected"); }
    /** Answered in any way. */
    public static Condition anyOutcome() { return new Condition("verdict.outcome.present", true); }
    /** Answered with this status. */
    public static Condition status(int status) { return new Condition("verdict.status", status); }
    /** Answered with this reason, such as BadDeviceToken. */
    public static Condition reason(String reason) { return new Condition("verdict.reason", reason); }
    /** All of these: a step of a sequence with several conditions. */
    public static Condition all(Condition... conditions) { return new Condition(ALL, List.of(conditions)); }

    /** The match of the debug API. */
    static Map<String, Object> match(Condition... conditions) {
        Map<String, Object> match = new LinkedHashMap<>();
        for (Condition condition : conditions) condition.add(match);
        return match;
    }

    @SuppressWarnings("unchecked") // all inner maps are made here
    private void add(Map<String, Object> match) {
        if (path.equals(ALL)) {
            for (Object condition : (List<?>) value) ((Condition) condition).add(match);
        } else if (path.equals("payload")) {
            ((List<Object>) match.computeIfAbsent(path, name -> new ArrayList<>())).add(value);
        } else {
            String[] names = path.split("\\.");
            Object inner = match;
            for (int number = 0; number < names.length && inner instanceof Map; number++) {
                Object next = number < names.length - 1 ? new LinkedHashMap<String, Object>() : value;
                inner = ((Map<String, Object>) inner).computeIfAbsent(names[number], name -> next);
            }
            if (!value.equals(inner)) {
                throw new MockAPNsException("two conditions are for " + path + ": use one, or query", null);
            }
        }
    }
}
