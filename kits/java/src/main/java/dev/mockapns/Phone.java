package dev.mockapns;

import java.util.List;
import java.util.Map;

/** A phone with an app. */
public final class Phone {
    private final MockAPNs apns;
    private final String id;
    private final String topic;
    private volatile String token;

    Phone(MockAPNs apns, Json device, String topic) {
        this.apns = apns;
        this.topic = topic;
        id = device.get("id").text();
        token = device.get("registrations").list().get(0).get("token").text();
    }

    /** The identifier of the phone on the server. */
    public String id() { return id; }
    /** The topic of the app. */
    public String topic() { return topic; }
    /** The device token of the app, in hexadecimal digits. */
    public String token() { return token; }
    /** Connects the phone; stored notifications are delivered before this returns. */
    public void goOnline() { apns.call("PATCH", "devices/" + id, Map.of("state", "online")); }
    /** Disconnects the phone: the server stores the newest push for each of its apps. */
    public void goOffline() { apns.call("PATCH", "devices/" + id, Map.of("state", "offline")); }
    /** Uninstalls the app: pushes to its token get 410 from now on. */
    public void uninstall() { apns.call("PATCH", "registrations/" + token, Map.of("state", "uninstalled")); }
    /** Gives the app a new token, and returns it: pushes to the old one get 410 from now on. */
    public String rotate() {
        token = apns.call("POST", "registrations/" + token + "/rotate", null).get("token").text();
        return token;
    }
    /** Subscribes the app to a broadcast channel. */
    public void subscribe(MockAPNs.Channel channel) {
        apns.call("POST", "devices/" + id + "/subscriptions", Map.of("topic", topic, "channel", channel.id()));
    }
    /** The notifications in Notification Center, newest first. */
    public List<Notification> inbox() {
        return apns.call("GET", "devices/" + id + "/inbox", null).get("notifications").list(Notification::new);
    }
    /** The Live Activities, in the order of their start, with the latest dismissed ones. */
    public List<Activity> activities() {
        return apns.call("GET", "devices/" + id + "/activities", null).get("activities")
            .list(json -> new Activity(apns, json));
    }
    /** Starts a Live Activity, as the app does it itself, without a push. */
    public Activity startActivity(String attributesType, Map<String, ?> attributes, Map<String, ?> contentState) {
        Map<String, ?> body = Map.of("topic", topic, "attributesType", attributesType, "attributes", attributes,
            "contentState", contentState);
        return new Activity(apns, apns.call("POST", "devices/" + id + "/activities", body));
    }

    /**
     * A notification that was delivered to a phone. What it does not have is null, or 0.
     *
     * @param json all of it, as in the debug API
     */
    public record Notification(Json json) {
        /** The identifier of its push. */
        public String push() { return json.get("push").text(); }
        /** The title. */
        public String title() { return json.get("title").text(); }
        /** The subtitle. */
        public String subtitle() { return json.get("subtitle").text(); }
        /** The text. */
        public String body() { return json.get("body").text(); }
        /** The number on the app's icon. */
        public int badge() { return json.get("badge").count(); }
        /** The name of the sound. */
        public String sound() { return json.get("sound").text(); }
        /** What iOS does with it, in one sentence. */
        public String summary() { return json.get("reaction", "summary").text(); }
    }
}
