import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Sends a push to Apple's host, with the roots that Java finds by itself. */
class Push {
    public static void main(String[] arguments) throws Exception {
        String url = "https://" + System.getenv("APNS_HOST") + "/3/device/" + System.getenv("DEVICE");
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
            .header("authorization", "bearer " + System.getenv("PROVIDER_TOKEN"))
            .header("apns-topic", "com.example.app")
            .POST(HttpRequest.BodyPublishers.ofString("{\"aps\":{\"alert\":\"Java\"}}"))
            .build();
        HttpClient client = HttpClient.newHttpClient();
        System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    }
}
