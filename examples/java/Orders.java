import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** Tells a customer's phones that an order was shipped, with java.net.http. */
public final class Orders {
    private static final int ATTEMPTS = 4;
    /** APNs refuses provider tokens that are older than an hour. */
    private static final Duration TOKEN_AGE = Duration.ofMinutes(50);
    private static final Pattern REASON = Pattern.compile("\"reason\":\"(\\w+)\"");

    /** APNs refused the push, and sending it again would not help. */
    public static final class Refused extends Exception {
        Refused(int status, String reason) {
            super(status + " " + reason);
        }
    }

    /** Where pushes go, and who sends them. */
    public record APNs(URI url, String topic, PrivateKey key, String keyId, String teamId, SSLContext trust) {}

    /** Waits between attempts; tests replace it. */
    public interface Pause {
        void of(Duration duration) throws InterruptedException;
    }

    private final APNs apns;
    private final Map<String, Set<String>> tokens;
    private final Clock clock;
    private final Pause pause;
    private HttpClient client;
    private String providerToken;
    private Instant issued = Instant.EPOCH;

    /** A provider for these device tokens of each customer's phones. */
    public Orders(APNs apns, Map<String, Set<String>> tokens, Clock clock, Pause pause) {
        this.apns = apns;
        this.tokens = tokens;
        this.clock = clock;
        this.pause = pause;
        connect();
    }

    public void shipped(String order, String customer) throws Exception {
        String payload = """
            {"aps": {"alert": {"title": "Order shipped", "body": "Order %1$s is on its way."}, "sound": "default"},
             "orderId": "%1$s"}""".formatted(order);
        for (String token : List.copyOf(tokens.get(customer))) {
            HttpResponse<String> answer = send(token, payload, "order-" + order);
            if (answer.statusCode() == 410) {
                tokens.get(customer).remove(token); // the app was uninstalled
            } else if (answer.statusCode() != 200) {
                Matcher reason = REASON.matcher(answer.body());
                throw new Refused(answer.statusCode(), reason.find() ? reason.group(1) : "without a reason");
            }
        }
    }

    private HttpResponse<String> send(String token, String payload, String collapseId) throws Exception {
        for (int attempt = 1; ; attempt++) {
            // If an answer was lost, the push is sent twice. With a collapse ID, the phone still shows it once.
            HttpRequest request = HttpRequest.newBuilder(apns.url().resolve("/3/device/" + token))
                .timeout(Duration.ofSeconds(10))
                .header("authorization", "bearer " + providerToken())
                .header("apns-topic", apns.topic())
                .header("apns-push-type", "alert")
                .header("apns-collapse-id", collapseId)
                .POST(HttpRequest.BodyPublishers.ofString(payload))
                .build();
            try {
                HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                boolean isBusy = answer.statusCode() == 429 || answer.statusCode() == 503;
                if (!isBusy || attempt == ATTEMPTS) {
                    return answer;
                }
                pause.of(Duration.ofSeconds(1L << (attempt - 1)));
            } catch (IOException error) {
                if (attempt == ATTEMPTS) {
                    throw error;
                }
                connect(); // a new connection: this one may be silent
            }
        }
    }

    private void connect() {
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(apns.trust()).build();
    }

    /** The current provider token, renewed in time. */
    private String providerToken() throws GeneralSecurityException {
        Instant now = clock.instant();
        if (Duration.between(issued, now).compareTo(TOKEN_AGE) > 0) {
            String head = encode("{\"alg\":\"ES256\",\"kid\":\"%s\"}".formatted(apns.keyId()).getBytes());
            String claims = encode("{\"iss\":\"%s\",\"iat\":%d}".formatted(apns.teamId(), now.getEpochSecond()).getBytes());
            Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(apns.key());
            signature.update((head + "." + claims).getBytes());
            providerToken = head + "." + claims + "." + encode(signature.sign());
            issued = now;
        }
        return providerToken;
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
