package dev.mockapns;

/** A Live Activity as of when it was asked for. What it does not have is null. */
public final class Activity {
    private final MockAPNs apns;
    private final Json json;

    Activity(MockAPNs apns, Json json) {
        this.apns = apns;
        this.json = json;
    }

    /** All of it, as in the debug API. */
    public Json json() { return json; }
    /** The identifier on the server. */
    public String id() { return json.get("id").text(); }
    /** The update token, in hexadecimal digits; null if it follows a channel or asked for none. */
    public String token() { return json.get("token").text(); }
    /** The state: active, stale, ended or dismissed. */
    public String state() { return json.get("state").text(); }
    /** The name of its ActivityAttributes structure. */
    public String attributesType() { return json.get("attributesType").text(); }
    /** The attributes. */
    public Json attributes() { return json.get("attributes"); }
    /** The newest state of the content. */
    public Json contentState() { return json.get("contentState"); }
    /** The channel that it follows, in Base64. */
    public String channel() { return json.get("channel").text(); }
    /** Dismisses it, as the user does, and returns it as it is then: pushes to its token get 410 from now on. */
    public Activity dismiss() { return after("dismiss"); }
    /** Gives it a new update token, and returns it with that: pushes to the old token get 410 from now on. */
    public Activity rotate() { return after("rotate"); }
    /** The type and the state. */
    @Override public String toString() { return id() + " " + attributesType() + ": " + state(); }

    private Activity after(String change) {
        String path = "devices/" + json.get("device").text() + "/activities/" + id() + "/" + change;
        return new Activity(apns, apns.call("POST", path, null));
    }
}
