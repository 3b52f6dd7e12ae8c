package dev.mockapns;

import java.util.Base64;
import java.util.List;

/**
 * A push that the server has received. What it does not have is null, or 0.
 *
 * @param json all of it, as in the debug API
 */
public record Push(Json json) {
    /** A warning about a push: its identifier in docs/lints.md, what is wrong, and how to fix it. */
    public record Warning(String id, String message, String hint) {}

    /** The identifier of the push on this server. */
    public String id() { return json.get("id").text(); }
    /** The apns-id. */
    public String apnsId() { return json.get("apns", "id").text(); }
    /** The device token, in hexadecimal digits. */
    public String token() { return json.get("apns", "token").text(); }
    /** The topic. */
    public String topic() { return json.get("apns", "topic").text(); }
    /** The push type, such as alert. */
    public String type() { return json.get("apns", "pushType").text(); }
    /** The priority: 10, 5 or 1. */
    public int priority() { return json.get("apns", "priority").count(); }
    /** The time in apns-expiration, in UNIX seconds. */
    public long expiration() { return json.get("apns", "expiration").number().longValue(); }
    /** The value of apns-collapse-id. */
    public String collapseId() { return json.get("apns", "collapseId").text(); }
    /** The first header field with this name, in lower case. */
    public String header(String name) {
        return json.get("request", "headers").list(Json::list).stream()
            .filter(one -> one.get(0).text().equals(name)).map(one -> one.get(1).text()).findFirst().orElse(null);
    }
    /** The body as JSON. */
    public Json payload() { return json.get("request", "payload"); }
    /** The body, byte for byte. */
    public byte[] body() { return Base64.getDecoder().decode(json.get("request", "bodyBase64").text()); }
    /** The title of the alert. */
    public String title() { return payload().get("aps", "alert", "title").text(); }
    /** The text of the alert. */
    public String text() {
        Json alert = payload().get("aps", "alert");
        return alert.text() != null ? alert.text() : alert.get("body").text();
    }
    /** The status of the response. */
    public int status() { return json.get("response", "status").count(); }
    /** The reason in the response, such as BadDeviceToken; null if the push was accepted. */
    public String reason() { return json.get("verdict", "reason").text(); }
    /** Whether the push was accepted. */
    public boolean isAccepted() { return "accepted".equals(json.get("verdict", "outcome").text()); }
    /** The delivery state, such as delivered or stored-device-offline. */
    public String delivery() { return json.get("delivery", "state").text(); }
    /** The identifier of the Live Activity that it started or was for. */
    public String activity() { return json.get("delivery", "activity").text(); }
    /** Why the phone ignored a push to a Live Activity, such as stale-timestamp. */
    public String ignored() { return json.get("delivery", "ignored", "code").text(); }
    /** What the service that it was forwarded to answered: outcome, status, reason, differs, error ...; empty if it was not. */
    public Json forward() { return json.get("forward"); }
    /** The warnings about the push, which can be there although it was accepted; without notes. */
    public List<Warning> warnings() {
        return json.get("lints").list().stream().filter(one -> !"info".equals(one.get("severity").text()))
            .map(one -> new Warning(one.get("id").text(), one.get("message").text(), one.get("hint").text())).toList();
    }
}
