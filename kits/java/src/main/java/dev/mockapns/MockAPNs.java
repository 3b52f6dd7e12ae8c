package dev.mockapns;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.opentest4j.AssertionFailedError;

/**
 * The mock APNs of a test: a namespace of the server, which has its own port, phones, pushes, faults and clock.
 *
 * <p>All tests of a JVM share a server: that of MOCK_APNS_API_URL, which {@code mock-apns exec} sets, or one that the
 * first test starts, with the program of MOCK_APNS_BIN, of this jar or in the PATH. It ends with the JVM. Each of these
 * variables can be a system property instead: {@code mockapns.api.url}, {@code mockapns.bin}.
 */
public final class MockAPNs implements AutoCloseable {
    /** The failed expectations. The first 100 keep their namespaces, since a server has at most 1,000. */
    static final AtomicInteger FAILURES = new AtomicInteger();

    private final Server server = Server.shared();
    private final String namespace;
    private final URI url;
    private final Path directory;
    private final Path caFile;
    private final Key key;
    private volatile boolean isKept;

    private MockAPNs(String name) {
        Json added = server.addNamespace(name);
        namespace = added.get("name").text();
        url = URI.create("https://" + server.host + ":" + server.portOf(added));
        directory = Server.temporaryDirectory();
        caFile = write("ca.pem", server.ca);
        key = keyOf(server.key);
    }

    /** A mock APNs for code without {@link WithMockAPNs}; close it at the end. The name is part of its namespace's. */
    public static MockAPNs open(String name) { return new MockAPNs(name); }

    /** The host that serves pushes. */
    public String host() { return url.getHost(); }
    /** The port that serves pushes. */
    public int port() { return url.getPort(); }
    /** The URL that serves pushes. */
    public URI url() { return url; }
    /** The CA certificate that a provider has to trust, in PEM. */
    public Path caFile() { return caFile; }
    /** A key that signs provider tokens. */
    public Key key() { return key; }
    /** A provider token, issued now by the clock of the server. */
    public String providerToken() { return key.providerToken(); }
    /** The clock of the server. */
    public ServerClock clock() { return new ServerClock(this, ZoneOffset.UTC); }
    /** The page of this test's pushes: until the test has ended, and for an hour after a failed expectation. */
    public URI page() { return URI.create(server.api + "/?ns=" + namespace); }
    /** The name of the namespace. */
    public String namespace() { return namespace; }
    /** The variables of {@code mock-apns exec} for this mock, for a provider or a command in another process. */
    public Map<String, String> environment() {
        return Map.of("MOCK_APNS_HOST", host(), "MOCK_APNS_APNS_PORT", "" + port(), "MOCK_APNS_URL", "" + url,
            "MOCK_APNS_CA_FILE", "" + caFile, "MOCK_APNS_KEY_FILE", "" + key.file(), "MOCK_APNS_KEY_ID", key.id(),
            "MOCK_APNS_TEAM_ID", key.teamId(), "MOCK_APNS_API_URL", server.api, "MOCK_APNS_API", server.api,
            "MOCK_APNS_NS", namespace);
    }
    /** A context that trusts the server. */
    public SSLContext sslContext() {
        return MockAPNsException.unless("cannot trust the certificate of the server (%s)", () -> {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            var pem = new ByteArrayInputStream(server.ca.getBytes());
            store.setCertificateEntry("mock-apns", CertificateFactory.getInstance("X.509").generateCertificate(pem));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        });
    }

    /** Adds a phone with an app that is registered for the topic. */
    public Phone phone(String topic) { return phone(topic, Map.of(), Map.of()); }
    /** Adds a phone that is not connected: the server stores the newest push for each of its apps. */
    public Phone offlinePhone(String topic) { return phone(topic, Map.of("state", "offline"), Map.of()); }
    /**
     * Adds a phone with more members of the debug API's device and registration, such as
     * {@code Map.of("label", "alice", "os", "17.4")} and {@code Map.of("token", hex)}.
     */
    public Phone phone(String topic, Map<String, ?> device, Map<String, ?> app) {
        Map<String, Object> registration = new HashMap<>(app);
        registration.put("topic", topic);
        Map<String, Object> body = new HashMap<>(device);
        body.put("registrations", List.of(registration));
        return new Phone(this, call("POST", "devices", body), topic);
    }
    /** Gives an app a JSON Schema, of its payload or {@code content-state:RideAttributes}, for {@link Condition#fits}. */
    public void putSchema(String app, String name, Map<String, ?> schema) {
        call("PUT", "apps/" + app + "/schemas/" + name, schema);
    }
    /** The device tokens that have become invalid, oldest first. */
    public List<Feedback> feedback() { return call("GET", "feedback", null).get("feedback").list(Feedback::new); }
    /** A device token that has become invalid, how many pushes got 410, and how many came later: better none. */
    public record Feedback(String token, String topic, int reported, int pushesAfterFirst410) {
        Feedback(Json entry) {
            this(entry.get("token").text(), entry.get("topic").text(), entry.get("reported410").count(),
                entry.get("pushesAfterFirst410").count());
        }
    }

    /** Creates a broadcast channel for an app. */
    public Channel addChannel(String topic) { return new Channel(call("POST", "channels", Map.of("topic", topic))); }
    /** The broadcast channels, including those that providers have created. */
    public List<Channel> channels() { return call("GET", "channels", null).get("channels").list(Channel::new); }
    /** A broadcast channel: its identifier in Base64, the accepted broadcasts, and the phones that are subscribed. */
    public record Channel(String id, String bundleId, int published, int subscribers) {
        Channel(Json channel) {
            this(channel.get("id").text(), channel.get("bundleId").text(), channel.get("metrics", "published").count(),
                channel.get("metrics", "uniqueSubscribers").count());
        }
    }

    /** Creates another signing key, for these topics or for all. */
    public Key addKey(String... topics) {
        return keyOf(call("POST", "keys/generate", topics.length == 0 ? Map.of() : Map.of("topics", List.of(topics))));
    }
    private Key keyOf(Json key) {
        String id = key.get("keyId").text();
        String pem = key.get("p8").text();
        return new Key(this, id, key.get("teamId").text(), pem, write("AuthKey_" + id + ".p8", pem));
    }

    /** Adds a fault for the pushes that match. If several apply to a push, only the first one fires. */
    public Fault addFault(Effect effect, Condition... conditions) {
        Map<String, Object> body = new HashMap<>(Map.of("match", Condition.match(conditions)));
        body.putAll(effect.preset() == null ? Map.of("do", effect.action(), "when", effect.when()) : effect.action());
        if (effect.preset() != null) body.putAll(effect.when());
        String path = effect.preset() == null ? "faults" : "faults/presets/" + effect.preset();
        return new Fault(call("POST", path, body).get("id").text(), this);
    }
    /** Removes all faults. */
    public void removeFaults() { call("DELETE", "faults?all=true", null); }
    /** A fault on the server. */
    public record Fault(String id, MockAPNs apns) {
        /** How often the fault has fired. */
        public int fired() { return apns.call("GET", "faults/" + id, null).get("stats", "fired").count(); }
        /** Removes the fault. */
        public void remove() { apns.call("DELETE", "faults/" + id, null); }
    }

    /** Waits for a push that matches, for a second at most, and returns the first one. */
    public Push expect(Condition... conditions) { return expect(Duration.ofSeconds(1), conditions); }
    /**
     * Waits until a push matches, and returns the first one.
     *
     * @throws AssertionFailedError if none matches in time: with the closest pushes and why they do not match
     */
    public Push expect(Duration within, Condition... conditions) {
        return verify(within, "atLeast", 1, conditions).get(0);
    }
    /** Waits until exactly this number of pushes match, for a second at most, and returns them in order. */
    public List<Push> expectExactly(int count, Condition... conditions) {
        return expectExactly(count, Duration.ofSeconds(1), conditions);
    }
    /**
     * Waits until exactly this number of pushes match, and returns them in the order of arrival. Returns as soon as
     * there are enough. To catch later pushes as well, call {@link #waitForIdle} before.
     */
    public List<Push> expectExactly(int count, Duration within, Condition... conditions) {
        return verify(within, "exactly", count, conditions);
    }
    /** Checks that no push matches. */
    public void expectNone(Condition... conditions) { expectNone(Duration.ZERO, conditions); }
    /** Checks that no push matches, and that none arrives within this time. */
    public void expectNone(Duration within, Condition... conditions) { verify(within, "never", true, conditions); }
    /** Waits until pushes match the steps in order, for a second at most. Other pushes may come in between. */
    public List<Push> expectSequence(Condition... steps) { return expectSequence(Duration.ofSeconds(1), false, steps); }
    /** Waits until pushes match the steps in order, and returns them; if strict, without others in between. */
    public List<Push> expectSequence(Duration within, boolean isStrict, Condition... steps) {
        List<?> matches = Arrays.stream(steps).map(Condition::match).toList();
        Map<String, ?> body = Map.of("steps", matches, "within", text(within), "strict", isStrict);
        return pushes(call("POST", "pushes/verify-sequence", body));
    }
    /** Waits until a Live Activity of the phone is in this state, for a second at most, and returns the newest that is. */
    public Activity expectActivity(Phone phone, String state) {
        return expectActivity(Duration.ofSeconds(1), phone, state);
    }
    /**
     * Waits until a Live Activity of the phone is in this state, and returns the newest that is.
     *
     * @throws AssertionFailedError if none is in time: with the activities, and the pushes that were ignored, and why
     */
    public Activity expectActivity(Duration within, Phone phone, String state) {
        for (long start = System.nanoTime();;) {
            Json newest = call("GET", "seq", null).get("seq");
            List<Activity> all = phone.activities();
            for (int number = all.size() - 1; number >= 0; number--) {
                if (all.get(number).state().equals(state)) return all.get(number);
            }
            Duration left = within.minusNanos(System.nanoTime() - start);
            if (left.isNegative() || left.isZero()) {
                StringBuilder report = new StringBuilder("Expected a Live Activity that is ").append(state)
                    .append(", but the phone has ").append(all);
                List<Push> ignored = pushes(Condition.query("is:ignored"));
                for (Push push : ignored.subList(Math.max(0, ignored.size() - 5), ignored.size())) {
                    String why = push.json().get("delivery", "ignored", "text").text();
                    report.append("\n").append(push.id()).append(" was ignored: ").append(why);
                }
                throw failure(report.toString());
            }
            String wait = Math.min(100, left.toMillis()) + "ms"; // what happens without a push is seen then
            call("GET", "pushes/count?after=" + newest + "&wait=" + wait, null);
        }
    }
    /** Waits until no push has arrived for 100 ms, for at most 10 s. */
    public void waitForIdle() { waitForIdle(Duration.ofMillis(100), Duration.ofSeconds(10)); }
    /**
     * Waits until no push has arrived for a while.
     *
     * @throws AssertionFailedError if pushes keep arriving until the limit
     */
    public void waitForIdle(Duration quiet, Duration limit) {
        for (long start = System.nanoTime(); System.nanoTime() - start < limit.toNanos();) {
            Json newest = call("GET", "seq", null).get("seq");
            String path = "pushes/count?after=" + newest + "&wait=" + text(quiet);
            if (call("GET", path, null).get("satisfied").value() == Boolean.FALSE) return;
        }
        throw failure("Expected no push for " + text(quiet) + ", but pushes came for " + text(limit));
    }
    /** The pushes that match, oldest first. */
    public List<Push> pushes(Condition... conditions) { return verify(Duration.ZERO, "atLeast", 0, conditions); }

    private List<Push> verify(Duration within, String bound, Object count, Condition... conditions) {
        Map<String, ?> match = Condition.match(conditions);
        Map<String, ?> body = Map.of("match", match, "within", text(within), "count", Map.of(bound, count));
        return pushes(call("POST", "pushes/verify", body));
    }

    private List<Push> pushes(Json verified) {
        return verified.get("matched").list(id -> new Push(call("GET", "pushes/" + id.text(), null)));
    }

    /** A duration as the debug API reads it. */
    private static String text(Duration duration) { return duration.toMillis() + "ms"; }

    /** Writes the pushes to a directory, as pushes.json, and pictures of the last 20 notifications. */
    public void savePushes(Path directory) {
        MockAPNsException.unless("cannot save the pushes (%s): choose another directory", () -> {
            Files.createDirectories(directory);
            String all = server.call("GET", path("pushes?order=asc&limit=1000"), null);
            List<Json> pushes = Json.read(all).get("pushes").list();
            for (Json push : pushes.subList(Math.max(0, pushes.size() - 20), pushes.size())) {
                String id = push.get("id").text();
                String picture = server.call("GET", path("pushes/" + id + "/preview.svg"), null);
                Files.writeString(directory.resolve("push-" + id + ".svg"), picture);
            }
            return Files.writeString(directory.resolve("pushes.json"), all);
        });
    }

    /** Deletes the namespace, with its pushes and phones. It stays for an hour if a report of a failure leads to it. */
    @Override public void close() {
        if (!isKept) server.call("DELETE", "namespaces/" + namespace, null);
        Server.delete(directory);
    }

    private Path write(String name, String content) {
        return MockAPNsException.unless("cannot write a temporary file (%s)",
            () -> Files.writeString(directory.resolve(name), content));
    }

    /** Calls the debug API within the namespace. */
    Json call(String method, String path, Map<String, ?> body) {
        try {
            return Json.read(server.call(method, path(path), body));
        } catch (AssertionFailedError unmet) {
            throw failure(unmet.getMessage());
        }
    }

    /** A failure at the line of the test. Its pushes are kept for the page. */
    private AssertionFailedError failure(String report) {
        isKept = isKept || FAILURES.incrementAndGet() <= 100;
        String until = " (for an hour; if the server ends with the tests, use mock-apns serve and MOCK_APNS_API_URL)";
        AssertionFailedError error = new AssertionFailedError(report + (isKept ? "\npage: " + page() + until : ""));
        String kit = MockAPNs.class.getName();
        error.setStackTrace(Arrays.stream(error.getStackTrace()).dropWhile(frame -> frame.getClassName().equals(kit))
            .toArray(StackTraceElement[]::new));
        return error;
    }

    private String path(String path) { return "namespaces/" + namespace + "/" + path; }
}
