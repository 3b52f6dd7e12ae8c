import java.io.FileInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Asks the server for anything, with the client of the page. */
class Provider {
    public static void main(String[] arguments) throws Exception {
        // LINES OF THE PAGE
        URI address = URI.create("https://localhost:" + System.getenv("PORT") + "/");
        HttpRequest request = HttpRequest.newBuilder(address).build();
        System.out.println("verified " + client.send(request, HttpResponse.BodyHandlers.ofString()).version());
    }
}
