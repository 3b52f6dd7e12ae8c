// What somebody writes first with the jar in the class path.
import static dev.mockapns.Condition.title;
import static dev.mockapns.Condition.to;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mockapns.MockAPNs;
import dev.mockapns.WithMockAPNs;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

@WithMockAPNs
class ShippedTest {
    @Test void shipped(MockAPNs apns) throws Exception {
        var phone = apns.phone("com.example.app");
        var request = HttpRequest.newBuilder(apns.url().resolve("/3/device/" + phone.token()))
            .header("authorization", "bearer " + apns.providerToken()).header("apns-topic", "com.example.app")
            .POST(HttpRequest.BodyPublishers.ofString("{\"aps\":{\"alert\":{\"title\":\"Order shipped\"}}}")).build();
        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(apns.sslContext()).build();
        assertEquals(200, client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
        apns.expect(to(phone), title("Order shipped"));
    }
}
