package dev.mockapns;

import java.io.IOException;
import java.io.InputStream;
import java.net.*;
import java.net.http.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.stream.Stream;
import org.opentest4j.AssertionFailedError;

/** The server that all tests of a JVM share. */
final class Server {
    private static final HttpClient CLIENT =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();
    private static final String MACHINE = System.getProperty("os.name") + "/" + System.getProperty("os.arch");
    private static Server shared;

    final String api;
    final String host;
    final String ca;
    final Json key;
    private final Map<String, String> settings;
    /** The port that namespaces share, if theirs cannot be reached. */
    private String port;
    /** Of our own server: its input is a pipe that is open as long as this JVM. */
    private Process process;

    static synchronized Server shared() {
        if (shared == null) shared = new Server(settings());
        return shared;
    }

    /** The environment, and system properties in place of variables: {@code mockapns.api.url} is MOCK_APNS_API_URL. */
    static Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(System.getenv());
        for (String name : System.getProperties().stringPropertyNames()) {
            String variable = name.replaceFirst("^mockapns\\.", "MOCK_APNS_");
            if (!variable.equals(name)) {
                settings.put(variable.toUpperCase(Locale.ROOT).replace('.', '_'), System.getProperty(name));
            }
        }
        settings.values().removeIf(String::isEmpty);
        return settings;
    }

    /** Finds or starts the server. */
    Server(Map<String, String> settings) {
        this.settings = settings;
        String url = settings.get("MOCK_APNS_API_URL");
        api = url == null ? start() : url.replaceFirst("/+$", "");
        if (!api.matches("http://([^/:@\\[\\]\\s]+|\\[[^\\]\\s]+\\])(:\\d{1,5})?")) {
            String example = "': expected a URL such as http://127.0.0.1:8197";
            throw new MockAPNsException("MOCK_APNS_API_URL is '" + api + example, null);
        }
        host = URI.create(api).getHost();
        ca = call("GET", "ca.pem", null);
        key = Json.read(call("POST", "keys/generate", null));
        if (key.get("keyId").text() == null) {
            throw new MockAPNsException("cannot read the answer of " + api + ": is that mock-apns?", null);
        }
        if (process == null) findPort();
    }

    /** Starts a server that ends with this JVM, because its command reads until then. Returns the URL of its API. */
    private String start() {
        Path directory = temporaryDirectory();
        try {
            String program = settings.containsKey("MOCK_APNS_BIN") ? settings.get("MOCK_APNS_BIN") : packed(directory);
            String advice = ": install mock-apns, or set MOCK_APNS_BIN to the program or MOCK_APNS_API_URL to a server";
            return MockAPNsException.unless("cannot start " + program + " for " + MACHINE + " (%s)" + advice, () -> {
                checkProcessor(Path.of(program));
                String command = "echo \"$MOCK_APNS_API_URL\"; exec cat";
                var builder = new ProcessBuilder(program, "exec", "--quiet", "--", "sh", "-c", command);
                builder.environment().putAll(settings);
                process = builder.redirectError(directory.resolve("complaint").toFile()).start();
                String url = process.inputReader().readLine();
                if (url != null) return url;
                int status = process.waitFor(); // then the complaint is complete
                String complaint = Files.readString(directory.resolve("complaint")).strip();
                String words = complaint.replaceFirst("^mock-apns: ", "");
                throw new MockAPNsException("%s (%s: exit code %d)".formatted(words, program, status), null);
            });
        } finally {
            delete(directory); // the server has its files open
        }
    }

    static Path temporaryDirectory() {
        String advice = ": set java.io.tmpdir, and TMPDIR, to another directory";
        return MockAPNsException.unless("cannot write temporary files (%s)" + advice,
            () -> Files.createTempDirectory("mock-apns-"));
    }

    static void delete(Path directory) {
        MockAPNsException.unless("cannot delete temporary files (%s)", () -> {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) Files.delete(file);
            }
            return Files.deleteIfExists(directory);
        });
    }

    /** A program for another processor would be started as a shell script. */
    private static void checkProcessor(Path program) throws IOException {
        if (!Files.isRegularFile(program)) return;
        try (InputStream file = Files.newInputStream(program)) {
            byte[] head = file.readNBytes(20);
            boolean isELF = head.length == 20 && Arrays.equals(head, 0, 4, new byte[] {0x7f, 'E', 'L', 'F'}, 0, 4);
            int expected = MACHINE.endsWith("/amd64") ? 62 : MACHINE.endsWith("/aarch64") ? 183 : head[18];
            if (isELF && (head[18] & 0xff) != expected) throw new IOException("it is for another processor");
        }
    }

    /** The program in this jar, as a temporary file; without one, its name in the PATH. */
    private static String packed(Path directory) {
        String system = MACHINE.replaceFirst("^Linux", "linux").replaceFirst("^Mac[^/]*", "macos");
        String machine = system.replace("/", "-").replace("amd64", "x86_64");
        Path program = directory.resolve("mock-apns");
        return MockAPNsException.unless("cannot write the program (%s)", () -> {
            try (InputStream resource = Server.class.getResourceAsStream("/mock-apns/" + machine + "/mock-apns")) {
                if (resource == null) return "mock-apns";
                Files.copy(resource, program);
            }
            program.toFile().setExecutable(true);
            return program.toString();
        });
    }

    /**
     * Finds the port that namespaces share if theirs cannot be reached from here, because a container publishes none of
     * them. Pushes to the phones of a namespace belong to it there, too.
     */
    private void findPort() {
        Json probe = addNamespace("probe");
        try (Socket socket = new Socket()) {
            int own = Integer.parseInt(portOf(probe));
            socket.connect(new InetSocketAddress(host.replaceAll("[\\[\\]]", ""), own), 1000);
        } catch (IOException refused) {
            String published = settings.get("MOCK_APNS_APNS_PORT");
            port = published != null ? published : portOf(Json.read(call("GET", "namespaces/default", null)));
        }
        call("DELETE", "namespaces/" + probe.get("name").text(), null);
    }

    /** Adds a namespace for a test. */
    Json addNamespace(String test) {
        String name = test.replaceAll("[^A-Za-z0-9._-]+", ".").replaceFirst("(?<=.{40}).*", "") + "-";
        name += UUID.randomUUID().toString().substring(0, 8);
        return Json.read(call("POST", "namespaces", Map.of("name", name, "ttl", "1h", "listener", port == null)));
    }

    /** The port for the pushes of a namespace. */
    String portOf(Json namespace) {
        return port != null ? port : namespace.get("apns").text().replaceFirst(".*:", "");
    }

    /** Calls the debug API, and returns the text of the response. A verification that fails throws its report. */
    String call(String method, String path, Map<String, ?> body) {
        String token = settings.get("MOCK_APNS_API_TOKEN");
        String question = "no answer (%s): is mock-apns running at " + api + "?";
        HttpResponse<String> response = MockAPNsException.unless(question, () -> {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api + "/api/v1/" + path))
                .timeout(Duration.ofSeconds(70)) // verifications wait for at most a minute
                .method(method, HttpRequest.BodyPublishers.ofString(body == null ? "" : Json.write(body)));
            if (token != null) request.header("Authorization", "Bearer " + token);
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        });
        if (response.statusCode() < 300) return response.body();
        Json problem = Json.read(response.body());
        if (problem.get("report").text() != null) throw new AssertionFailedError(problem.get("report").text().strip());
        String detail = problem.get("detail").text();
        if ("urn:mock-apns:problem:unknown-path".equals(problem.get("type").text())) {
            String server = response.headers().firstValue("Server").orElse("mock-apns");
            detail = "%s at %s does not know %s: update it to the version of this kit".formatted(server, api, path);
        } else if (detail == null) {
            detail = "%s of %s got %d without a reason: is that mock-apns?".formatted(path, api, response.statusCode());
        }
        throw new MockAPNsException(detail, null);
    }
}
