package dev.mockapns;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.opentest4j.AssertionFailedError;

/** The server that all tests of a JVM share. */
final class Server {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();
    private static Server shared;

    final String api;
    final byte[] ca;
    final Json key;
    private final String token;
    private final String host;
    private final String port;
    private final boolean isOwn;
    private String version;
    /** Its input is a pipe that is open as long as this JVM. */
    private Process process;

    static synchronized Server shared() {
        if (shared == null) shared = new Server(Server::setting);
        return shared;
    }

    /** A variable, or the system property of the same name, which a JVM can set for itself. */
    static String setting(String name) { return System.getProperty(name, System.getenv(name)); }

    /** Finds or starts the server. */
    Server(UnaryOperator<String> variables) {
        UnaryOperator<String> env = name -> "".equals(variables.apply(name)) ? null : variables.apply(name);
        isOwn = env.apply("MOCK_APNS_API_URL") == null;
        token = env.apply("MOCK_APNS_API_TOKEN");
        api = isOwn ? start(env.apply("MOCK_APNS_BIN")) : env.apply("MOCK_APNS_API_URL").replaceFirst("/+$", "");
        if (!api.matches("http://[^/]+")) {
            throw new MockAPNsException("MOCK_APNS_API_URL is '" + api + "': expected a URL such as http://127.0.0.1:8197", null);
        }
        String given = isOwn ? null : env.apply("MOCK_APNS_HOST");
        host = given == null ? URI.create(api).getHost() : given.contains(":") ? "[" + given + "]" : given;
        Json info = Json.read(call("GET", "info", null));
        version = info.get("version").text();
        if (version == null) throw new MockAPNsException("cannot read info of " + api + ": is that mock-apns?", null);
        String listener = info.get("listeners").list().stream().filter(one -> "http2".equals(one.get("interface").text()))
            .map(one -> one.get("url").text()).findFirst().orElse(":");
        port = env.apply("MOCK_APNS_APNS_PORT") != null ? env.apply("MOCK_APNS_APNS_PORT") : portOf(listener);
        ca = call("GET", "ca.pem", null).getBytes();
        key = Json.read(call("POST", "keys/generate", null));
    }

    private static String portOf(String url) { return url.substring(url.lastIndexOf(':') + 1); }

    /** Starts a server that ends with this JVM: it is for a command that reads until then. Returns the URL of its debug API. */
    private String start(String named) {
        String program = named;
        List<Path> temporary = new ArrayList<>();
        try {
            if (program == null) program = packed(temporary);
            checkProcessor(Path.of(program));
            Path complaint = Files.createTempFile("mock-apns-", ".log");
            temporary.add(complaint);
            ProcessBuilder builder = new ProcessBuilder(program, "exec", "--quiet", "--", "sh", "-c", "echo \"$MOCK_APNS_API_URL\"; exec cat");
            builder.environment().remove(MockAPNs.ATTACHMENTS); // the server does not know this one
            process = builder.redirectError(complaint.toFile()).start();
            String line = process.inputReader().readLine();
            if (line != null) return line;
            throw new MockAPNsException(Files.readString(complaint).strip().replaceFirst("^mock-apns: ", "")
                + " (" + program + ": exit code " + process.waitFor() + ")", null);
        } catch (NoSuchFileException error) {
            throw new MockAPNsException("cannot write to %s: set java.io.tmpdir, and TMPDIR, to another directory".formatted(error.getFile()), error);
        } catch (IOException | InterruptedException error) {
            String machine = System.getProperty("os.name") + "/" + System.getProperty("os.arch");
            throw new MockAPNsException("cannot start %s for %s (%s): install mock-apns, or set MOCK_APNS_BIN to the program or MOCK_APNS_API_URL to a server"
                .formatted(program, machine, error.getMessage()), error);
        } finally {
            for (Path file : temporary) file.toFile().delete(); // the server has them open
        }
    }

    /** A program for another processor would be started as a shell script. */
    private static void checkProcessor(Path program) throws IOException {
        if (!Files.isRegularFile(program)) return;
        byte[] head;
        try (InputStream file = Files.newInputStream(program)) {
            head = file.readNBytes(20);
        }
        int expected = System.getProperty("os.arch").equals("amd64") ? 62 : System.getProperty("os.arch").equals("aarch64") ? 183 : -1;
        boolean isELF = head.length == 20 && head[0] == 0x7f && head[1] == 'E' && head[2] == 'L' && head[3] == 'F';
        if (isELF && expected > 0 && (head[18] & 0xff) != expected) throw new IOException("it is for another processor");
    }

    /** The program in this jar, as a temporary file; without one, its name in the PATH. */
    private static String packed(List<Path> temporary) throws IOException {
        String system = System.getProperty("os.name").startsWith("Mac") ? "macos" : "linux";
        String processor = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        try (InputStream resource = Server.class.getResourceAsStream("/mock-apns/" + system + "-" + processor + "/mock-apns")) {
            if (resource == null) return "mock-apns";
            Path program = Files.createTempFile("mock-apns-", "");
            temporary.add(program);
            Files.copy(resource, program, StandardCopyOption.REPLACE_EXISTING);
            program.toFile().setExecutable(true);
            return program.toString();
        }
    }

    /**
     * Adds a namespace, and returns its URL for pushes. A container publishes no ports of namespaces: then it is the server's,
     * where pushes to the phones of a namespace belong to it.
     */
    URI addNamespace(String name) {
        Json added = Json.read(call("POST", "namespaces", Map.of("name", name, "ttl", "1h")));
        String own = portOf(added.get("apns").text());
        if (isOwn || isReachable(Integer.parseInt(own))) return URI.create("https://" + host + ":" + own);
        call("DELETE", "namespaces/" + name, null);
        call("POST", "namespaces", Map.of("name", name, "ttl", "1h", "listener", false));
        return URI.create("https://" + host + ":" + port);
    }

    private boolean isReachable(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host.replaceAll("[\\[\\]]", ""), port), 1000);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** Calls the debug API, and returns the text of the response. A verification that fails throws its report. */
    String call(String method, String path, Map<String, ?> body) {
        HttpResponse<String> response;
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api + "/api/v1/" + path)).timeout(Duration.ofSeconds(70))
                .method(method, HttpRequest.BodyPublishers.ofString(body == null ? "" : Json.write(body)));
            if (token != null) request.header("Authorization", "Bearer " + token);
            response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException | IllegalArgumentException error) {
            if (error instanceof InterruptedException) Thread.currentThread().interrupt();
            throw new MockAPNsException("no answer (%s): is mock-apns running at %s?".formatted(error, api), error);
        }
        if (response.statusCode() < 300) return response.body();
        Json problem = Json.read(response.body());
        if (problem.get("report").text() != null) throw new AssertionFailedError(problem.get("report").text().strip());
        String detail = problem.get("detail").text();
        if ("urn:mock-apns:problem:unknown-path".equals(problem.get("type").text())) {
            detail = "the server at %s has version %s and does not know %s: update it".formatted(api, version, path);
        } else if (detail == null) {
            detail = "%s of %s got %d without a reason: is that mock-apns?".formatted(path, api, response.statusCode());
        }
        throw new MockAPNsException(detail, null);
    }
}
