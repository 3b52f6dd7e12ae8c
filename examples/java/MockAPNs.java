import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A namespace of the server that `mock-apns exec` starts: its own port, devices, faults, clock and journal, so tests do
 * not affect each other. It has a phone, and a provider for a customer "alice" with it.
 */
final class MockAPNs implements AutoCloseable {
    static final String TOPIC = "com.example.shop";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    final List<Duration> pauses = new ArrayList<>();
    final String phone;
    final Orders orders;
    private final String api;
    private Duration ahead = Duration.ZERO;

    MockAPNs() throws Exception {
        this(TOPIC);
    }

    MockAPNs(String topicOfProvider) throws Exception {
        String namespaces = env("MOCK_APNS_API_URL") + "/api/v1/namespaces";
        String name = UUID.randomUUID().toString();
        String namespace = call("POST", namespaces, "{'name': '" + name + "'}");
        api = namespaces + "/" + name;
        String device = call("POST", api + "/devices", "{'label': 'phone', 'registrations': [{'topic': '" + TOPIC + "'}]}");
        phone = member("token", device);
        Set<String> phones = new HashSet<>(Set.of(phone));
        Orders.APNs apns = new Orders.APNs(
            URI.create(member("apns", namespace).replace("127.0.0.1", "localhost")), topicOfProvider, key(),
            env("MOCK_APNS_KEY_ID"), env("MOCK_APNS_TEAM_ID"), trust());
        orders = new Orders(apns, Map.of("alice", phones), new ServerClock(), pauses::add);
    }

    /** Moves the clocks of the server and of the provider. */
    void advance(Duration by) throws Exception {
        call("POST", "/clock/advance", "{'by': '%ds'}".formatted(by.toSeconds()));
        ahead = ahead.plus(by);
    }

    /** Expects this number of matching pushes, and waits for them if they have not arrived. */
    void verify(String match, String count) throws Exception {
        call("POST", "/pushes/verify", "{'match': %s, 'count': %s, 'within': '5s'}".formatted(match, count));
    }

    void fault(String action, int times) throws Exception {
        call("POST", "/faults", "{'do': %s, 'when': {'times': %d}}".formatted(action, times));
    }

    /** Calls the debug API, with ' for ". The report of a failed verification becomes the message of the failed test. */
    String call(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(path.startsWith("http") ? path : api + path))
            .timeout(Duration.ofSeconds(30))
            .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
        HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        assertTrue(answer.statusCode() < 400, () -> answer.body().replace("\\n", "\n"));
        return answer.body();
    }

    /** The first member of this name with a string; a real project has a JSON library. */
    static String member(String name, String json) {
        Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
        assertTrue(found.find(), () -> "no " + name + " in " + json);
        return found.group(1);
    }

    @Override public void close() throws Exception {
        call("DELETE", "", "");
    }

    private static String env(String name) {
        String value = System.getenv(name);
        assertTrue(value != null, "run the tests with: mock-apns exec -- …");
        return value;
    }

    private static PrivateKey key() throws Exception {
        String pem = Files.readString(Path.of(env("MOCK_APNS_KEY_FILE"))).replaceAll("-----.*-----|\\s", "");
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    }

    private static SSLContext trust() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream file = Files.newInputStream(Path.of(env("MOCK_APNS_CA_FILE")))) {
            store.setCertificateEntry("mock-apns", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private final class ServerClock extends Clock {
        @Override public ZoneId getZone() { return ZoneId.of("UTC"); }
        @Override public Clock withZone(ZoneId zone) { return this; }
        @Override public Instant instant() { return Instant.now().plus(ahead); }
    }
}
