package dev.mockapns;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A provider that knows a mock only by its variables. */
final class Provider {
    static final String TOPIC = "com.example.app";
    static final String LIVE_TOPIC = TOPIC + ".push-type.liveactivity";
    /** Providers with the same key share a provider token, because APNs refuses tokens that change too often. */
    private static final Map<String, String> TOKENS = new ConcurrentHashMap<>();

    String topic = TOPIC;
    /** In place of a provider token that it signs. */
    String jwt;
    private final Map<String, String> env;
    private final HttpClient client;
    private final String token;

    Provider(MockAPNs apns) throws Exception { this(apns.environment()); }

    Provider(Map<String, String> env) throws Exception {
        this.env = env;
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream file = Files.newInputStream(Path.of(env.get("MOCK_APNS_CA_FILE")))) {
            store.setCertificateEntry("mock-apns", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        client = client(context);
        if (!TOKENS.containsKey(env.get("MOCK_APNS_KEY_FILE"))) TOKENS.put(env.get("MOCK_APNS_KEY_FILE"), sign());
        token = TOKENS.get(env.get("MOCK_APNS_KEY_FILE"));
    }

    static HttpClient client(SSLContext context) {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(context).build();
    }

    /** Sends an alert to a device token, and returns the status; 0 without a response. */
    int send(String token, String title, String... headers) throws Exception {
        Map<String, ?> alert = Map.of("title", title, "body", "It is on its way.");
        return post("/3/device/" + token, Map.of("aps", Map.of("alert", alert), "orderID", "17"), headers);
    }

    /** Sends a push to a Live Activity, and returns the status. */
    int live(String token, String event, int minutes, Instant timestamp, Map<String, ?> more) throws Exception {
        Map<String, Object> aps = new HashMap<>(more);
        aps.putAll(Map.of("event", event, "timestamp", timestamp.getEpochSecond(), "content-state", Map.of("minutes", minutes)));
        if (event.equals("start")) {
            aps.putAll(Map.of("attributes-type", "RideAttributes", "attributes", Map.of("ride", "A7"), "input-push-token", 1,
                "alert", Map.of("title", "On the way", "body", "Here in 9 minutes")));
        }
        return post("/3/device/" + token, Map.of("aps", aps), "apns-push-type", "liveactivity", "apns-topic", LIVE_TOPIC, "apns-priority", "10");
    }

    int post(String path, Map<String, ?> body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(env.get("MOCK_APNS_URL") + path))
            .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
            .setHeader("authorization", "bearer " + (jwt != null ? jwt : token)).setHeader("apns-topic", topic).setHeader("apns-push-type", "alert");
        for (int number = 0; number < headers.length; number += 2) request.setHeader(headers[number], headers[number + 1]);
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException noResponse) {
            return 0;
        }
    }

    private String sign() throws Exception {
        String pem = Files.readString(Path.of(env.get("MOCK_APNS_KEY_FILE"))).replaceAll("-----[^-]*-----|\\s", "");
        Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initSign(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem))));
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String text = encoder.encodeToString(Json.write(Map.of("alg", "ES256", "kid", env.get("MOCK_APNS_KEY_ID"))).getBytes()) + "."
            + encoder.encodeToString(Json.write(Map.of("iss", env.get("MOCK_APNS_TEAM_ID"), "iat", Instant.now().getEpochSecond())).getBytes());
        signature.update(text.getBytes());
        return text + "." + encoder.encodeToString(signature.sign());
    }
}
