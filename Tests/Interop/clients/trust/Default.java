import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks the server for anything, with the roots that Java finds by itself. */
class Provider {
    public static void main(String[] arguments) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        URI address = URI.create("https://localhost:" + System.getenv("PORT") + "/");
        HttpRequest request = HttpRequest.newBuilder(address).build();
        System.out.println("verified " + client.send(request, HttpResponse.BodyHandlers.ofString()).version());
    }
}
