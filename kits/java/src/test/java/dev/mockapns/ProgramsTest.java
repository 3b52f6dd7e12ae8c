package dev.mockapns;

import static dev.mockapns.Provider.TOPIC;
import static dev.mockapns.StoriesTest.assertContains;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stories that are told with one kind of server only: its tag. */
@WithMockAPNs
class ProgramsTest {
    private static final String API = "MOCK_APNS_API_URL";

    @Test @Tag("own") void ownServer(MockAPNs one) throws Exception {
        try (MockAPNs two = MockAPNs.open("two")) {
            assertEquals(one.environment().get(API), two.environment().get(API));
        }
        assertNotEquals(one.environment().get(API), apiOf("", Map.of()));
    }

    @Test @Tag("own") void ownServerEnds(@TempDir Path directory) throws Exception {
        Map<String, String> variables = Map.of("KIT_WAITS", "1", "TMPDIR", "" + directory, "java.io.tmpdir", "" + directory);
        Process child = Child.start(Child.Passing.class, "", variables);
        String line = child.inputReader().lines().filter(text -> text.startsWith("handle ")).findFirst().orElseThrow();
        Json info = Json.read(StoriesTest.get(URI.create(Child.handle(line).get(API).text() + "/api/v1/info")).body());
        ProcessHandle server = ProcessHandle.of(info.get("pid").number().longValueExact()).orElseThrow();
        child.destroyForcibly();
        server.onExit().get();
        assertFalse(Files.exists(Path.of(info.get("caFile").text()).getParent()));
    }

    @Test @Tag("own") void programFound(@TempDir Path directory) throws Exception {
        Path packed = directory.resolve("mock-apns/linux-" + System.getProperty("os.arch").replace("amd64", "x86_64"));
        Files.createDirectories(packed);
        Files.createDirectories(directory.resolve("path"));
        for (Path program : List.of(directory.resolve("named"), packed.resolve("mock-apns"), directory.resolve("path/mock-apns"))) {
            Files.writeString(program, "#!/bin/sh\necho %s >%s/taken\nexec '%s' \"$@\"\n".formatted(program, directory, program()));
            assertTrue(program.toFile().setExecutable(true));
        }
        String path = directory.resolve("path") + ":" + System.getenv("PATH");
        apiOf("" + directory, Map.of("MOCK_APNS_BIN", directory + "/named", "PATH", path));
        assertContains(Files.readString(directory.resolve("taken")), "/named");
        apiOf("" + directory, Map.of("MOCK_APNS_BIN", "", "PATH", path));
        assertContains(Files.readString(directory.resolve("taken")), "/mock-apns/linux-");
        apiOf("", Map.of("MOCK_APNS_BIN", "", "PATH", path));
        assertContains(Files.readString(directory.resolve("taken")), "/path/");
    }

    @Test @Tag("own") void apiToken() throws Exception {
        serve(List.of("--api-token", "secret"), (api, apns) -> {
            assertEquals(api, apiOf("", Map.of(API, api, "MOCK_APNS_API_TOKEN", "secret")));
            complains(API, api, "MOCK_APNS_API_TOKEN");
        });
        apiOf("", Map.of("MOCK_APNS_API_TOKEN", "secret"));
    }

    @Test @Tag("exec") void execServer(MockAPNs apns) throws Exception {
        assertEquals(System.getenv(API), apns.environment().get(API));
        assertEquals(System.getenv(API), apiOf("", Map.of("MOCK_APNS_BIN", "/nowhere/mock-apns")));
    }

    @Test @Tag("api") void apiUrlAlone(MockAPNs apns) throws Exception {
        assertEquals(200, new Provider(apns).send(apns.phone(TOPIC).token(), "one"));
        for (Path file : List.of(apns.caFile(), apns.key().file())) assertTrue(file.startsWith(System.getProperty("java.io.tmpdir")));
    }

    @Test @Tag("api") void publishedPort() throws Exception {
        serve(List.of("--tls-san", "127.0.0.2"), (api, apns) -> {
            try (ServerSocket apiHere = forward(api); ServerSocket apnsHere = forward(apns)) {
                String url = "http://127.0.0.2:" + apiHere.getLocalPort(), port = "" + apnsHere.getLocalPort();
                for (var settings : List.of(Map.of(API, url, "MOCK_APNS_APNS_PORT", port),
                    Map.of("mockapns.api.url", url, "mockapns.apns.port", port, API, "http://127.0.0.1:1"))) {
                    String output = Child.run(Child.Two.class, "", settings);
                    assertEquals("https://127.0.0.2:" + port, Child.handle(output).get("MOCK_APNS_URL").text(), output);
                    assertContains(output, "exit code 0");
                }
            }
        });
    }

    @Test @Tag("own") void badUrl() {
        complains(API, "localhost:8197", "'localhost:8197'", "expected a URL such as http://127.0.0.1:8197");
        complains(API, "https://localhost", "'https://localhost'", "expected a URL such as http://127.0.0.1:8197");
    }

    @Test @Tag("own") void unknownHost() {
        complains(API, "http://mock-apns.invalid:8197", "is mock-apns running at http://mock-apns.invalid:8197?");
    }

    @Test @Tag("own") void nothingListens() {
        complains(API, "http://127.0.0.1:1", "is mock-apns running at http://127.0.0.1:1?");
    }

    @Test @Tag("own") void anotherServer() throws Exception {
        answers(404, "Not here", "404", "is that mock-apns?");
        answers(200, "Welcome", "cannot read the answer", "is that mock-apns?");
    }

    @Test @Tag("own") void oldServer() throws Exception {
        answers(404, "{\"detail\":\"Path not found\",\"type\":\"urn:mock-apns:problem:unknown-path\"}", "mock-apns/0.0.9 at http://127.0.0.1:", "does not know", "update it");
    }

    @Test @Tag("own") void missingProgram() throws Exception {
        complainsAlone(Map.of("mockapns.bin", "/nowhere/property"), "/nowhere/property", "install mock-apns");
        for (String program : List.of("/nowhere/mock-apns", "mock-apns-that-is-missing")) {
            complains("MOCK_APNS_BIN", program, program, "install mock-apns, or set MOCK_APNS_BIN");
        }
    }

    @Test @Tag("own") void wrongArchitecture(@TempDir Path directory) throws Exception {
        Path foreign = directory.resolve("mock-apns");
        byte[] header = ByteBuffer.allocate(4096).put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}).put(16, (byte) 2).put(18, (byte) 22).array();
        Files.write(foreign, header); // an executable for IBM S/390
        assertTrue(foreign.toFile().setExecutable(true));
        complains("MOCK_APNS_BIN", "" + foreign, foreign + " for Linux/", "it is for another processor");
    }

    @Test @Tag("own") void busyPort() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            complainsAlone(Map.of("MOCK_APNS_APNS_LISTEN", "127.0.0.1:" + busy.getLocalPort()), busy.getLocalPort() + " of 127.0.0.1 is in use", "--apns-listen");
            complainsAlone(Map.of("mockapns.apns.listen", "127.0.0.1:" + busy.getLocalPort()), busy.getLocalPort() + " of 127.0.0.1 is in use");
        }
    }

    @Test @Tag("own") void readOnlyHome() throws Exception {
        assertContains(Child.run(Child.Passing.class, "", Map.of("HOME", "/proc/nowhere")), "exit code 0");
    }

    @Test @Tag("own") void noTemporaryDirectory() throws Exception {
        complainsAlone(Map.of("TMPDIR", "/proc/nowhere"), "/proc/nowhere", "TMPDIR");
        complainsAlone(Map.of("java.io.tmpdir", "/proc/nowhere"), "/proc/nowhere", "java.io.tmpdir", "TMPDIR");
    }

    /** The URL of the debug API of another JVM's mock. */
    private static String apiOf(String path, Map<String, String> variables) throws Exception {
        return Child.handle(Child.run(Child.Passing.class, path, variables)).get(API).text();
    }

    private static void complains(String variable, String value, String... parts) {
        String message = assertThrows(MockAPNsException.class, () -> new Server(Map.of(variable, value))).getMessage();
        assertEquals(1, message.lines().count(), message);
        assertContains(message, parts);
        assertTrue(message.startsWith("mock-apns: "), message);
    }

    private static void complainsAlone(Map<String, String> variables, String... parts) throws Exception {
        String output = Child.run(Child.Passing.class, "", variables);
        assertContains(output, parts);
        assertContains(output, "MockAPNsException: mock-apns: ", "exit code 1");
    }

    private static String program() {
        return System.getenv("MOCK_APNS_BIN") != null ? System.getenv("MOCK_APNS_BIN") : System.getenv("KIT_PROGRAM");
    }

    private interface Use {
        void of(String api, String apns) throws Exception;
    }

    /** Starts a server with these options, and calls use with the URLs of its API and for pushes. */
    private static void serve(List<String> options, Use use) throws Exception {
        List<String> command = new ArrayList<>(List.of(program(), "exec", "--quiet"));
        command.addAll(options);
        command.addAll(List.of("--", "sh", "-c", "echo \"$MOCK_APNS_API_URL $MOCK_APNS_URL\"; exec cat"));
        Process server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            String[] urls = server.inputReader().readLine().split(" ");
            use.of(urls[0], urls[1]);
        } finally {
            server.getOutputStream().close();
        }
        assertEquals(0, server.waitFor());
    }

    /** A server that gives this answer. */
    private static void answers(int status, String body, String... parts) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Server", "mock-apns/0.0.9");
            exchange.sendResponseHeaders(status, body.length());
            exchange.getResponseBody().write(body.getBytes());
            exchange.close();
        });
        server.start();
        try {
            complains(API, "http://127.0.0.1:" + server.getAddress().getPort(), parts);
        } finally {
            server.stop(0);
        }
    }

    /** Makes a server known at 127.0.0.2, as long as the socket is open. */
    private static ServerSocket forward(String url) throws IOException {
        ServerSocket here = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.2"));
        new Thread(() -> {
            try {
                while (true) {
                    Socket from = here.accept();
                    Socket to = new Socket("127.0.0.1", URI.create(url).getPort());
                    pipe(from, to);
                    pipe(to, from);
                }
            } catch (IOException closed) {
                return;
            }
        }).start();
        return here;
    }

    private static void pipe(Socket from, Socket to) {
        new Thread(() -> {
            try (InputStream input = from.getInputStream(); OutputStream output = to.getOutputStream()) {
                input.transferTo(output);
            } catch (IOException closed) {
                return;
            }
        }).start();
    }
}
