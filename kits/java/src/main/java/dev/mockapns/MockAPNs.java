package dev.mockapns;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.opentest4j.AssertionFailedError;

/**
 * The mock APNs of a test: a namespace of the server, which has its own port, phones, pushes, faults and clock.
 *
 * <p>All tests of a JVM share a server: that of MOCK_APNS_API_URL, which {@code mock-apns exec} sets, or one that the first test
 * starts, with the program of MOCK_APNS_BIN, of this jar or in the PATH. It ends with the JVM.
 */
public final class MockAPNs implements AutoCloseable {
    static final String ATTACHMENTS = "MOCK_APNS_ATTACHMENTS";

    private final Server server = Server.shared();
    private final String namespace;
    private final URI url;
    private final Path directory;
    private final Path caFile;
    private final Key key;

    private MockAPNs(String name) throws IOException {
        namespace = name.replaceAll("[^A-Za-z0-9._-]+", ".").replaceFirst("(?<=.{40}).*", "") + "-" + UUID.randomUUID().toString().substring(0, 8);
        url = server.addNamespace(namespace);
        directory = Files.createTempDirectory("mock-apns-");
        caFile = write("ca.pem", server.ca);
        key = new Key(this, server.key);
    }

    /** A mock APNs for code without {@link WithMockAPNs}; close it at the end. The name is a part of its namespace's. */
    public static MockAPNs open(String name) {
        try {
            return new MockAPNs(name);
        } catch (IOException error) {
            throw new MockAPNsException("cannot write temporary files (" + error + "): set java.io.tmpdir to another directory", error);
        }
    }

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
    /** The page of this test's pushes, until the test has ended. */
    public URI page() { return URI.create(server.api + "/?ns=" + namespace); }
    /** The name of the namespace. */
    public String namespace() { return namespace; }
    /** The variables of {@code mock-apns exec} for this mock, for a provider or a {@code mock-apns} in another process. */
    public Map<String, String> environment() {
        return Map.of("MOCK_APNS_HOST", host(), "MOCK_APNS_APNS_PORT", "" + port(), "MOCK_APNS_URL", "" + url,
            "MOCK_APNS_CA_FILE", "" + caFile, "MOCK_APNS_KEY_FILE", "" + key.file(), "MOCK_APNS_KEY_ID", key.id(),
            "MOCK_APNS_TEAM_ID", key.teamId(), "MOCK_APNS_API_URL", server.api, "MOCK_APNS_API", server.api, "MOCK_APNS_NS", namespace);
    }
    /** A context that trusts the server. */
    public SSLContext sslContext() {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            var authority = CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(server.ca));
            store.setCertificateEntry("mock-apns", authority);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException error) {
            throw new MockAPNsException("cannot trust the certificate of the server", error);
        }
    }

    /** Adds a phone with an app that is registered for the topic. */
    public Phone phone(String topic) { return phone(topic, Map.of(), Map.of()); }
    /** Adds a phone that is not connected: the server stores the newest push for each of its apps. */
    public Phone offlinePhone(String topic) { return phone(topic, Map.of("state", "offline"), Map.of()); }
    /** Adds a phone with more members of the debug API's device and registration: {@code Map.of("label", "alice"), Map.of("token", hex)}. */
    public Phone phone(String topic, Map<String, ?> device, Map<String, ?> app) {
        Map<String, Object> registration = new HashMap<>(Map.of("topic", topic));
        registration.putAll(app);
        Map<String, Object> body = new HashMap<>(Map.of("registrations", List.of(registration)));
        body.putAll(device);
        return new Phone(this, call("POST", "devices", body), topic);
    }
    /** The device tokens that have become invalid, oldest first. */
    public List<Feedback> feedback() {
        return call("GET", "feedback", null).get("feedback").list().stream().map(entry -> new Feedback(entry.get("token").text(),
            entry.get("topic").text(), entry.get("reported410").count(), entry.get("pushesAfterFirst410").count())).toList();
    }
    /** A device token that has become invalid, how many pushes got 410, and how many came after that, which should be none. */
    public record Feedback(String token, String topic, int reported, int pushesAfterFirst410) {}

    /** Creates a broadcast channel for an app. */
    public Channel addChannel(String topic) { return new Channel(call("POST", "channels", Map.of("topic", topic))); }
    /** The broadcast channels, including those that providers have created. */
    public List<Channel> channels() { return call("GET", "channels", null).get("channels").list().stream().map(Channel::new).toList(); }
    /** A broadcast channel: its identifier in Base64, the accepted broadcasts, and the phones that are subscribed. */
    public record Channel(String id, String bundleId, int published, int subscribers) {
        Channel(Json channel) {
            this(channel.get("id").text(), channel.get("bundleId").text(), channel.get("metrics").get("published").count(),
                channel.get("metrics").get("uniqueSubscribers").count());
        }
    }

    /** Creates another signing key, for these topics or for all. */
    public Key addKey(String... topics) {
        return new Key(this, call("POST", "keys/generate", topics.length == 0 ? Map.of() : Map.of("topics", List.of(topics))));
    }

    /** Adds a fault for the pushes that match. If several apply to a push, only the first one fires. */
    public Fault addFault(Effect effect, Condition... conditions) {
        Map<String, Object> body = new HashMap<>(effect.preset() == null ? Map.of("do", effect.action(), "when", effect.when()) : effect.action());
        if (effect.preset() != null) body.putAll(effect.when());
        body.put("match", Condition.match(conditions));
        return new Fault(call("POST", effect.preset() == null ? "faults" : "faults/presets/" + effect.preset(), body).get("id").text(), this);
    }
    /** Removes all faults. */
    public void removeFaults() { call("DELETE", "faults?all=true", null); }
    /** A fault on the server. */
    public record Fault(String id, MockAPNs apns) {
        /** How often the fault has fired. */
        public int fired() { return apns.call("GET", "faults/" + id, null).get("stats").get("fired").count(); }
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
    public Push expect(Duration within, Condition... conditions) { return verify(within, "atLeast", 1, conditions).get(0); }
    /** Waits until exactly this number of pushes match, for a second at most, and returns them in the order of arrival. */
    public List<Push> expectExactly(int count, Condition... conditions) { return expectExactly(count, Duration.ofSeconds(1), conditions); }
    /**
     * Waits until exactly this number of pushes match, and returns them in the order of arrival. Returns as soon as there are
     * enough. To catch later pushes as well, call {@link #waitForIdle} before.
     */
    public List<Push> expectExactly(int count, Duration within, Condition... conditions) { return verify(within, "exactly", count, conditions); }
    /** Checks that no push matches. */
    public void expectNone(Condition... conditions) { expectNone(Duration.ZERO, conditions); }
    /** Checks that no push matches, and that none arrives within this time. */
    public void expectNone(Duration within, Condition... conditions) { verify(within, "never", true, conditions); }
    /** Waits until pushes match the steps in order, for a second at most, and returns them. Other pushes may come in between. */
    public List<Push> expectSequence(Condition... steps) { return expectSequence(Duration.ofSeconds(1), false, steps); }
    /** Waits until pushes match the steps in order, and returns them; if strict, no other pushes may come in between. */
    public List<Push> expectSequence(Duration within, boolean isStrict, Condition... steps) {
        List<Object> matches = new ArrayList<>();
        for (Condition step : steps) matches.add(Condition.match(step));
        return pushes(call("POST", "pushes/verify-sequence", Map.of("steps", matches, "within", text(within), "strict", isStrict)));
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
            Object newest = call("GET", "seq", null).get("seq").value();
            try {
                call("POST", "pushes/verify", Map.of("match", Condition.match(Condition.anyOutcome()), "count", Map.of("never", true),
                    "within", text(quiet), "after", newest));
                return;
            } catch (AssertionFailedError unmet) {
                continue; // a push has arrived
            }
        }
        throw failure("Expected no push for " + text(quiet) + ", but pushes came for " + text(limit));
    }
    /** The pushes that match, oldest first. */
    public List<Push> pushes(Condition... conditions) { return verify(Duration.ZERO, "atLeast", 0, conditions); }

    private List<Push> verify(Duration within, String bound, Object count, Condition... conditions) {
        return pushes(call("POST", "pushes/verify", Map.of("match", Condition.match(conditions), "within", text(within), "count", Map.of(bound, count))));
    }

    private List<Push> pushes(Json verified) {
        return verified.get("matched").list().stream().map(id -> new Push(call("GET", "pushes/" + id.text(), null))).toList();
    }

    /** A duration as the debug API reads it. */
    private static String text(Duration duration) { return duration.toMillis() + "ms"; }

    /** Writes the pushes to a directory, as pushes.json, and pictures of the last 20 notifications. */
    public void savePushes(Path directory) {
        try {
            Files.createDirectories(directory);
            String all = server.call("GET", path("pushes?order=asc&limit=1000"), null);
            Files.writeString(directory.resolve("pushes.json"), all);
            List<Json> pushes = Json.read(all).get("pushes").list();
            for (Json push : pushes.subList(Math.max(0, pushes.size() - 20), pushes.size())) {
                String id = push.get("id").text();
                Files.writeString(directory.resolve("push-" + id + ".svg"), server.call("GET", path("pushes/" + id + "/preview.svg"), null));
            }
        } catch (IOException error) {
            throw new MockAPNsException("cannot save the pushes (" + error + "): choose another directory", error);
        }
    }

    /** Deletes the namespace, with its pushes and phones. */
    @Override public void close() {
        server.call("DELETE", "namespaces/" + namespace, null);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) Files.delete(file);
            Files.delete(directory);
        } catch (IOException error) {
            throw new MockAPNsException("cannot delete temporary files (" + error + ")", error);
        }
    }

    Path write(String name, byte[] content) {
        try {
            return Files.write(directory.resolve(name), content);
        } catch (IOException error) {
            throw new MockAPNsException("cannot write temporary files (" + error + "): set java.io.tmpdir to another directory", error);
        }
    }

    /** Calls the debug API within the namespace. */
    Json call(String method, String path, Map<String, ?> body) {
        try {
            return Json.read(server.call(method, path(path), body));
        } catch (AssertionFailedError unmet) {
            throw failure(unmet.getMessage());
        }
    }

    /** A failure at the line of the test. */
    private AssertionFailedError failure(String report) {
        AssertionFailedError error = new AssertionFailedError(report + "\npage: " + page());
        String kit = MockAPNs.class.getName();
        error.setStackTrace(Arrays.stream(error.getStackTrace()).dropWhile(frame -> frame.getClassName().equals(kit)).toArray(StackTraceElement[]::new));
        return error;
    }

    private String path(String path) { return "namespaces/" + namespace + "/" + path; }
}
