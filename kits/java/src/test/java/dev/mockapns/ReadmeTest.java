package dev.mockapns;

import static dev.mockapns.Condition.*;
import static dev.mockapns.Effect.*;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The tests in the README. */
@WithMockAPNs
class ReadmeTest {
    /** The provider: it gets everything from the handle. */
    private static int orderShipped(MockAPNs apns, String order, String deviceToken) throws IOException, InterruptedException {
        String payload = "{\"aps\":{\"alert\":{\"title\":\"Order shipped\"}},\"orderID\":\"" + order + "\"}";
        HttpRequest request = HttpRequest.newBuilder(apns.url().resolve("/3/device/" + deviceToken))
            .header("authorization", "bearer " + apns.providerToken()).header("apns-topic", "com.example.app")
            .header("apns-push-type", "alert").POST(HttpRequest.BodyPublishers.ofString(payload)).build();
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(apns.sslContext()).build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Test void shipped(MockAPNs apns) throws Exception {
        Phone phone = apns.phone("com.example.app");
        orderShipped(apns, "17", phone.token());
        Push push = apns.expect(to(phone), title("Order shipped"));
        assertEquals("17", push.payload().get("orderID").text());
    }

    @Test void shippedWhileOffline(MockAPNs apns) throws Exception {
        Phone phone = apns.offlinePhone("com.example.app");
        orderShipped(apns, "17", phone.token());
        orderShipped(apns, "18", phone.token());
        apns.clock().advance(Duration.ofHours(1));
        phone.goOnline();
        assertEquals(1, phone.inbox().size());
    }

    @Test void tooManyRequests(MockAPNs apns) throws Exception {
        Phone phone = apns.phone("com.example.app");
        apns.addFault(respond("TooManyRequests").times(1), to(phone));
        assertEquals(429, orderShipped(apns, "17", phone.token()));
        apns.expect(to(phone), reason("TooManyRequests"));
        apns.expectNone(to(phone), accepted());
    }

    @Test void areInTheReadme() throws Exception {
        String source = Files.readString(Path.of("src/test/java/dev/mockapns/ReadmeTest.java"));
        String[] blocks = Files.readString(Path.of("README.md")).split("```java\n");
        assertEquals(3, blocks.length - 1);
        for (int number = 1; number < blocks.length; number++) {
            StoriesTest.assertContains(source, blocks[number].substring(0, blocks[number].indexOf("```")).indent(4));
        }
    }
}
