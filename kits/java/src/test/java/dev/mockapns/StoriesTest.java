package dev.mockapns;

import static dev.mockapns.Condition.*;
import static dev.mockapns.Effect.*;
import static dev.mockapns.Provider.LIVE_TOPIC;
import static dev.mockapns.Provider.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

/** A test for each story of kits/stories.json that is told with every kind of server: its name in camel case. */
@WithMockAPNs
class StoriesTest {
    @Test void namespace(MockAPNs one) throws Exception {
        try (MockAPNs two = MockAPNs.open("two")) {
            Phone phone = one.phone(TOPIC, Map.of("label", "alice"), Map.of("token", "0a".repeat(32)));
            Phone other = two.phone(TOPIC, Map.of("label", "alice"), Map.of("token", "0a".repeat(32)));
            assertNotEquals(one.port(), two.port());
            assertEquals(200, new Provider(one).send(phone.token(), "one"));
            one.expect(to(phone));
            two.waitForIdle(Duration.ofMillis(1), Duration.ofMinutes(1));
            two.expectNone(to(other));
        }
    }

    @Test void namespaceGone(MockAPNs apns) throws Exception {
        Path file;
        try (MockAPNs two = MockAPNs.open("two")) {
            file = two.caFile();
            assertEquals(200, statusOf(apns, two.namespace(), ""));
        }
        assertFalse(Files.exists(file));
        assertEquals(1, Child.here(Child.Passing.class).getTestsSucceededCount());
        assertEquals(404, statusOf(apns, Child.Passing.namespace, ""));
        assertEquals(1, Child.here(Child.Broken.class).getTestsFailedCount());
        assertEquals(404, statusOf(apns, Child.Broken.namespace, ""));
    }

    @Test void parallelTests() {
        var summary = Child.here(Child.Parallel.class);
        assertEquals(200, summary.getTestsSucceededCount(), () -> summary.getFailures().get(0).getException().toString());
        System.out.println("200 tests took " + (summary.getTimeFinished() - summary.getTimeStarted()) + " ms");
    }

    @Test void providerValues(MockAPNs apns) throws Exception {
        Map<String, String> env = apns.environment();
        assertEquals(200, new Provider(env).send(apns.phone(TOPIC).token(), "one"));
        apns.expect(title("one"), keyId(env.get("MOCK_APNS_KEY_ID")), teamId(env.get("MOCK_APNS_TEAM_ID")));
        assertEquals("https://" + env.get("MOCK_APNS_HOST") + ":" + env.get("MOCK_APNS_APNS_PORT"), env.get("MOCK_APNS_URL"));
        assertEquals(List.of(env.get("MOCK_APNS_HOST"), env.get("MOCK_APNS_APNS_PORT"), env.get("MOCK_APNS_URL")),
            List.of(apns.host(), "" + apns.port(), "" + apns.url()));
        assertEquals(List.of(env.get("MOCK_APNS_CA_FILE"), env.get("MOCK_APNS_KEY_FILE"), env.get("MOCK_APNS_KEY_ID"), env.get("MOCK_APNS_TEAM_ID")),
            List.of("" + apns.caFile(), "" + apns.key().file(), apns.key().id(), apns.key().teamId()));
        assertEquals("EC", apns.key().privateKey().getAlgorithm());
        HttpRequest request = HttpRequest.newBuilder(apns.url().resolve("/3/device/" + apns.phone(TOPIC).token())).header("apns-topic", TOPIC)
            .header("authorization", "bearer " + apns.providerToken()).POST(HttpRequest.BodyPublishers.ofString("{\"aps\":{}}")).build();
        assertEquals(200, Provider.client(apns.sslContext()).send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
    }

    @Test void providerToken(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Provider provider = new Provider(apns);
        provider.jwt = apns.providerToken();
        assertEquals(200, provider.send(phone.token(), "one"));
        apns.clock().advance(Duration.ofDays(1));
        provider = new Provider(apns);
        provider.jwt = apns.providerToken();
        assertEquals(200, provider.send(phone.token(), "two"));
    }

    @Test void page(MockAPNs apns) throws Exception {
        var page = get(apns.page());
        assertEquals(200, page.statusCode());
        assertContains(page.body(), "<html");
        assertContains("" + apns.page(), "ns=" + apns.namespace());
    }

    @Test void pushArrives(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        long later = Instant.now().plusSeconds(3600).getEpochSecond();
        new Provider(apns).send(phone.token(), "Order shipped", "apns-collapse-id", "o1", "apns-priority", "5", "apns-expiration", "" + later);
        Push push = apns.expect(to(phone));
        assertEquals("17", push.payload().get("orderID").text());
        assertEquals(List.of("Order shipped", "It is on its way."), List.of(push.title(), push.text()));
        assertEquals(List.of(phone.token(), TOPIC, "alert", "o1"), List.of(push.token(), push.topic(), push.type(), push.collapseId()));
        assertEquals(List.of(5, later, 200, true), List.of(push.priority(), push.expiration(), push.status(), push.isAccepted()));
        assertEquals(List.of("o1", "5"), List.of(push.header("apns-collapse-id"), push.header("apns-priority")));
        assertNull(push.header("apns-id"));
        assertNull(push.reason());
        assertEquals(push.payload().value(), Json.read(new String(push.body())).value());
        assertEquals("delivered", push.delivery());
        assertEquals(List.of(), push.warnings());
        apns.expect(apnsId(push.apnsId()));
        new Provider(apns).post("/3/device/" + phone.token(), Map.of("aps", Map.of("alert", "short \"\n\u00e9\ud83d\ude00")));
        assertEquals("short \"\n\u00e9\ud83d\ude00", apns.expect(bodyContains("short")).text());
    }

    @Test void phoneWithToken(MockAPNs apns) throws Exception {
        apns.phone(TOPIC, Map.of("label", "alice"), Map.of("token", "0b".repeat(32)));
        assertEquals(200, new Provider(apns).send("0b".repeat(32), "one"));
        apns.expect(device("alice"));
    }

    @Test void phoneOffline(MockAPNs apns) throws Exception {
        Phone phone = apns.offlinePhone(TOPIC);
        Provider provider = new Provider(apns);
        for (String title : List.of("one", "two", "three")) provider.send(phone.token(), title);
        assertEquals(List.of(), phone.inbox());
        phone.goOnline();
        assertEquals(1, phone.inbox().size());
        Phone.Notification shown = phone.inbox().get(0);
        assertEquals(List.of("three", "It is on its way."), List.of(shown.title(), shown.body()));
        assertContains(shown.summary(), "Banner");
        assertEquals(apns.expect(title("three")).id(), shown.push());
    }

    @Test void phoneGoesOffline(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        phone.goOffline();
        new Provider(apns).send(phone.token(), "one");
        apns.expect(to(phone), delivery("stored-device-offline"));
        assertEquals(List.of(), phone.inbox());
    }

    @Test void appUninstalled(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Provider provider = new Provider(apns);
        phone.uninstall();
        assertEquals(410, provider.send(phone.token(), "one"));
        assertEquals(410, provider.send(phone.token(), "two"));
        apns.expectExactly(2, status(410), reason("Unregistered"));
        assertEquals(List.of(new MockAPNs.Feedback(phone.token(), TOPIC, 2, 1)), apns.feedback());
    }

    @Test void tokenRotated(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Provider provider = new Provider(apns);
        String before = phone.token();
        String after = phone.rotate();
        assertEquals(410, provider.send(before, "one"));
        assertEquals(200, provider.send(after, "two"));
        assertEquals("two", apns.expect(to(phone)).title());
    }

    @Test void storedExpires(MockAPNs apns) throws Exception {
        Phone phone = apns.offlinePhone(TOPIC);
        long expiration = apns.clock().instant().plusSeconds(3600).getEpochSecond();
        new Provider(apns).send(phone.token(), "one", "apns-expiration", "" + expiration);
        apns.clock().advance(Duration.ofMinutes(61));
        phone.goOnline();
        assertEquals(List.of(), phone.inbox());
        apns.expect(to(phone), query("is:discarded"), expiration(expiration));
    }

    @Test void expectWaits(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        FutureTask<Integer> sent = new FutureTask<>(() -> new Provider(apns).send(phone.token(), "one"));
        new Thread(sent).start();
        apns.expect(Duration.ofMinutes(1), title("one"));
        assertEquals(200, sent.get());
    }

    @Test void expectConditions(MockAPNs apns) throws Exception {
        new Provider(apns).send(apns.phone(TOPIC, Map.of("label", "alice"), Map.of()).token(), "Order shipped", "apns-priority", "5");
        List<Condition> conditions = new ArrayList<>(List.of(device("alice"), topic(TOPIC), type("alert"), priority(5), header("apns-priority", "5"),
            keyId(apns.key().id()), teamId(apns.key().teamId()), status(200), payload("/orderID", "17"),
            payload("/aps/alert/title", "Order shipped"), titleContains("shipped"), bodyContains("on its way"), query("type:alert"),
            environment("sandbox"), accepted(), new Condition("size.gt", 10)));
        apns.expect(conditions.toArray(Condition[]::new));
        apns.expect(title("Order shipped"), body("It is on its way."));
        conditions.add(delivery("not-attempted"));
        apns.expectNone(conditions.toArray(Condition[]::new));
        apns.expectNone(collapseId("o1"));
        for (Condition second : List.of(title("two"), titleContains("o"))) {
            var error = assertThrows(MockAPNsException.class, () -> apns.expect(title("one"), second));
            assertContains(error.getMessage(), "two conditions are for title");
        }
    }

    @Test void expectExactly(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Provider provider = new Provider(apns);
        provider.send(phone.token(), "one");
        provider.send(phone.token(), "two");
        assertEquals(List.of("one", "two"), apns.expectExactly(2, to(phone)).stream().map(Push::title).toList());
        assertContains(failure(() -> apns.expectExactly(1, to(phone))), "Expected exactly 1 push, found 2");
    }

    @Test void expectNone(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        apns.expectNone(Duration.ofMillis(10), to(phone));
        new Provider(apns).send(phone.token(), "one");
        assertContains(failure(() -> apns.expectNone(to(phone))), "found 1", apns.expect().id());
    }

    @Test void expectSequence(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Provider provider = new Provider(apns);
        for (String title : List.of("one", "two", "three")) provider.send(phone.token(), title);
        var pushes = apns.expectSequence(title("one"), all(title("three"), to(phone)));
        assertEquals(List.of("one", "three"), pushes.stream().map(Push::title).toList());
        assertContains(failure(() -> apns.expectSequence(Duration.ZERO, false, title("two"), title("one"))), "Expected", "page: http");
        assertContains(failure(() -> apns.expectSequence(Duration.ZERO, true, title("one"), title("three"))), "Expected", "page: http");
    }

    @Test void waitForIdle(MockAPNs apns) throws Exception {
        new Provider(apns).send(apns.phone(TOPIC).token(), "one");
        apns.waitForIdle(Duration.ofMillis(20), Duration.ofMinutes(1));
        apns.expectExactly(1);
        assertContains(failure(() -> apns.waitForIdle(Duration.ofMillis(1), Duration.ZERO)), "pushes came for 0ms");
    }

    @Test void pushes(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Provider provider = new Provider(apns);
        provider.send(phone.token(), "one");
        provider.topic = "com.example.other";
        provider.send(phone.token(), "two");
        assertEquals(List.of("one"), apns.pushes().stream().map(Push::title).toList());
        assertEquals(List.of(), apns.pushes(title("two")));
        assertEquals(List.of("two"), apns.pushes(rejected()).stream().map(Push::title).toList());
        assertEquals(List.of("one", "two"), apns.pushes(anyOutcome()).stream().map(Push::title).toList());
    }

    @Test void pushRejected(MockAPNs apns) throws Exception {
        Provider provider = new Provider(apns);
        provider.topic = "com example app";
        assertEquals(400, provider.send(apns.phone(TOPIC).token(), "one"));
        Push push = apns.expect(reason("BadTopic"));
        assertEquals(List.of(400, "BadTopic", false), List.of(push.status(), push.reason(), push.isAccepted()));
        apns.expectNone(title("one"));
    }

    @Test void pushWarnings(MockAPNs apns) throws Exception {
        new Provider(apns).post("/3/device/" + apns.phone(TOPIC).token(), Map.of("aps", Map.of("alert", "one", "badge", "3")));
        Push.Warning found = apns.expect(warning("badge-not-integer")).warnings().get(0);
        assertEquals("badge-not-integer", found.id());
        assertFalse(found.message().isEmpty() || found.hint().isEmpty());
    }

    @Test void failureReport(MockAPNs apns) throws Exception {
        new Provider(apns).send(apns.phone(TOPIC).token(), "Order shiped");
        String report = failure(() -> apns.expect(Duration.ZERO, title("Order shipped")));
        assertContains(report, "Expected at least 1 push, found 0", "actual Order shiped", "/p/psh_", "page: http");
    }

    @Test void failureKeepsPage(MockAPNs apns) throws Exception {
        String report = Child.here(Child.Failing.class).getFailures().get(0).getException().getMessage();
        assertContains(report, "/?ns=" + Child.Failing.namespace + " (for an hour; ");
        assertEquals(200, statusOf(apns, Child.Failing.namespace, "/pushes"));
        int before = MockAPNs.FAILURES.getAndSet(100);
        try (MockAPNs tooMany = MockAPNs.open("two")) {
            assertFalse(failure(() -> tooMany.expect(Duration.ZERO)).contains("page: "));
            Child.Failing.namespace = tooMany.namespace();
        } finally {
            MockAPNs.FAILURES.set(before);
        }
        assertEquals(404, statusOf(apns, Child.Failing.namespace, ""));
    }

    @Test void failurePlace() {
        Throwable error = Child.here(Child.Failing.class).getFailures().get(0).getException();
        assertEquals("Child.java fails", error.getStackTrace()[0].getFileName() + " " + error.getStackTrace()[0].getMethodName());
    }

    @Test void searchMistake(MockAPNs apns) {
        assertContains(assertThrows(MockAPNsException.class, () -> apns.expect(query("titel:one"))).getMessage(), "titel", "title");
    }

    @Test void fault(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Provider provider = new Provider(apns);
        MockAPNs.Fault fault = apns.addFault(respond("TooManyRequests").times(1), to(phone));
        assertEquals(429, provider.send(phone.token(), "one"));
        assertEquals(200, provider.send(phone.token(), "two"));
        assertEquals(1, fault.fired());
        fault.remove();
        assertEquals(404, statusOf(apns, apns.namespace(), "/faults/" + fault.id()));
    }

    @Test void faultKinds(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Map<Effect, Integer> kinds = Map.of(respond(503), 503, delay(Duration.ofMillis(1)), 200, goAway(), 200, resetStream(), 0,
            resetConnection(), 0, lose(), 200, Effect.of(Map.of("respond", Map.of("status", 200, "headers", Map.of("x", "y")))), 200);
        for (var kind : kinds.entrySet()) {
            String title = kind.getKey().toString();
            Provider provider = new Provider(apns);
            MockAPNs.Fault fault = apns.addFault(kind.getKey().skip(1).times(1), title(title));
            assertEquals(200, provider.send(phone.token(), title));
            int status = provider.send(phone.token(), title);
            // The JDK's client may lose a response that a GOAWAY follows, so this one is asked of the server.
            if (kind.getKey().equals(goAway())) status = apns.expectExactly(2, title(title)).get(1).status();
            assertEquals(kind.getValue(), status, title);
            assertEquals(1, fault.fired());
        }
        apns.expect(title(lose().toString()), delivery("not-attempted"));
        apns.removeFaults();
        assertEquals(200, new Provider(apns).send(phone.token(), "one"));
        var error = assertThrows(MockAPNsException.class, () -> apns.addFault(Effect.of(Map.of("explode", true))));
        assertContains(error.getMessage(), "explode", "respond");
    }

    @Test void faultPreset(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Provider provider = new Provider(apns);
        MockAPNs.Fault fault = apns.addFault(preset("slow-1s", Map.of("delay", "1ms")).times(1), to(phone));
        provider.send(phone.token(), "one");
        provider.send(phone.token(), "two");
        assertEquals(1, fault.fired());
        var error = assertThrows(MockAPNsException.class, () -> apns.addFault(preset("slow-1h", Map.of())));
        assertContains(error.getMessage(), "slow-1h", "slow-1s");
    }

    @Test void clock(MockAPNs apns) throws Exception {
        apns.clock().freeze();
        Instant before = apns.clock().instant();
        Provider provider = new Provider(apns);
        provider.jwt = apns.providerToken();
        apns.clock().advance(Duration.ofHours(2));
        assertEquals(before.plusSeconds(7200), apns.clock().instant());
        assertEquals(403, provider.send(apns.phone(TOPIC).token(), "one"));
        apns.expect(reason("ExpiredProviderToken"));
        apns.clock().run();
        assertTrue(apns.clock().instant().isBefore(before.plusSeconds(3600)));
    }

    @Test void keys(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(TOPIC);
        Key key = apns.addKey(TOPIC);
        Provider provider = new Provider(apns);
        provider.jwt = key.providerToken();
        assertEquals(200, provider.send(phone.token(), "one"));
        apns.expect(keyId(key.id()));
        key.revoke();
        assertEquals(403, provider.send(phone.token(), "two"));
        provider = new Provider(apns);
        provider.jwt = apns.addKey("com.example.other").providerToken(Instant.now());
        assertEquals(400, provider.send(phone.token(), "three"));
        assertEquals(key.pem(), Files.readString(key.file()));
    }

    @Test void channels(MockAPNs apns) throws Exception {
        MockAPNs.Channel channel = apns.addChannel(TOPIC);
        apns.phone(TOPIC).subscribe(channel);
        Map<String, ?> aps = Map.of("event", "update", "timestamp", Instant.now().getEpochSecond(), "content-state", Map.of());
        assertEquals(200, new Provider(apns).post("/4/broadcasts/apps/" + TOPIC, Map.of("aps", aps), "apns-channel-id", channel.id(),
            "apns-push-type", "liveactivity", "apns-expiration", "0", "apns-priority", "10"));
        apns.expect(channel(channel.id()));
        assertEquals(List.of(new MockAPNs.Channel(channel.id(), TOPIC, 1, 1)), apns.channels());
    }

    @Test void appSchema(MockAPNs apns) throws Exception {
        apns.putSchema(TOPIC, "payload", Map.of("properties", Map.of("orderID", Map.of("type", "string"))));
        String path = "/3/device/" + apns.phone(TOPIC).token();
        Provider provider = new Provider(apns);
        assertEquals(200, provider.post(path, Map.of("aps", Map.of("alert", "one"), "orderID", 17)));
        assertEquals(200, provider.post(path, Map.of("aps", Map.of("alert", "two"), "orderID", "17")));
        assertEquals(List.of("two"), apns.expectExactly(1, fits("payload")).stream().map(Push::text).toList());
        assertEquals("one", apns.expect(warning("app-schema")).text());
    }

    @Test void phoneOs(MockAPNs apns) throws Exception {
        Phone old = apns.phone(LIVE_TOPIC, Map.of("os", "17.1"), Map.of());
        Phone later = apns.phone(LIVE_TOPIC, Map.of("os", "17.4"), Map.of());
        assertEquals(200, new Provider(apns).live(old.token(), "start", 9, apns.clock().instant(), Map.of()));
        assertEquals(200, new Provider(apns).live(later.token(), "start", 9, apns.clock().instant(), Map.of()));
        assertEquals(List.of(0, 1), List.of(old.activities().size(), later.activities().size()));
        assertEquals(old.token(), apns.expect(ignored("os-without-start")).token());
    }

    @Test void activity(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(LIVE_TOPIC);
        Provider provider = new Provider(apns);
        Instant now = apns.clock().instant();
        assertEquals(200, provider.live(phone.token(), "start", 9, now, Map.of()));
        Activity started = phone.activities().get(0);
        assertEquals(List.of("RideAttributes", "A7"), List.of(started.attributesType(), started.attributes().get("ride").text()));
        assertEquals(9, started.contentState().get("minutes").count());
        assertEquals(200, provider.live(started.token(), "update", 5, now.plusSeconds(60), Map.of()));
        assertEquals(200, provider.live(started.token(), "update", 7, now.plusSeconds(30), Map.of()));
        Activity activity = phone.activities().get(0);
        assertEquals(List.of(started.id(), "active", 5), List.of(activity.id(), activity.state(), activity.contentState().get("minutes").count()));
        assertNull(activity.channel());
        Push update = apns.expect(token(activity.token()), notIgnored());
        assertEquals(activity.id(), update.activity());
        assertNull(update.ignored());
        Push older = apns.expect(token(activity.token()), ignored("stale-timestamp"));
        assertEquals(List.of(activity.id(), "stale-timestamp"), List.of(older.activity(), older.ignored()));
    }

    @Test void activityByApp(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(LIVE_TOPIC);
        Activity started = phone.startActivity("RideAttributes", Map.of("ride", "A7"), Map.of("minutes", 9));
        assertEquals(List.of("active", "A7", 9),
            List.of(started.state(), started.attributes().get("ride").text(), started.contentState().get("minutes").count()));
        Instant now = apns.clock().instant();
        assertEquals(200, new Provider(apns).live(started.token(), "update", 5, now, Map.of()));
        assertEquals(5, apns.expectActivity(phone, "active").contentState().get("minutes").count());
        assertEquals(200, new Provider(apns).live(started.token(), "end", 0, now.plusSeconds(1), Map.of()));
        assertEquals(0, apns.expectActivity(phone, "ended").contentState().get("minutes").count());
    }

    @Test void activityToken(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(LIVE_TOPIC);
        Provider provider = new Provider(apns);
        Activity old = phone.startActivity("RideAttributes", Map.of(), Map.of());
        Activity activity = old.rotate();
        assertNotEquals(old.token(), activity.token());
        assertEquals(410, provider.live(old.token(), "update", 5, apns.clock().instant(), Map.of()));
        assertEquals(200, provider.live(activity.token(), "update", 5, apns.clock().instant(), Map.of()));
        assertEquals("dismissed", activity.dismiss().state());
        assertEquals("dismissed", phone.activities().get(0).state());
        assertEquals(410, provider.live(activity.token(), "update", 4, apns.clock().instant(), Map.of()));
        apns.expectExactly(2, reason("ExpiredToken"));
    }

    @Test void expectActivity(MockAPNs apns) throws Exception {
        Phone phone = apns.phone(LIVE_TOPIC);
        Provider provider = new Provider(apns);
        Instant now = apns.clock().instant();
        Map<String, ?> stale = Map.of("stale-date", now.getEpochSecond() + 600);
        FutureTask<Integer> sending = new FutureTask<>(() -> provider.live(phone.token(), "start", 9, now, stale));
        new Thread(sending).start();
        Activity activity = apns.expectActivity(Duration.ofSeconds(30), phone, "active");
        assertEquals(200, sending.get());
        provider.live(phone.token(), "update", 5, now, Map.of());
        String report = assertThrows(AssertionFailedError.class, () -> apns.expectActivity(Duration.ZERO, phone, "stale")).getMessage();
        assertContains(report, "a Live Activity that is stale, but the phone has [" + activity.id() + " RideAttributes: active]");
        assertContains(report, "was ignored: The token is a push-to-start token");
        apns.clock().advance(Duration.ofSeconds(601));
        assertEquals(activity.id(), apns.expectActivity(Duration.ZERO, phone, "stale").id());
    }

    @Test void attachments(@TempDir Path directory) throws Exception {
        String output = Child.run(Child.Failing.class, "", Map.of("MOCK_APNS_ATTACHMENTS", "" + directory));
        try (Stream<Path> files = Files.list(directory.resolve("Failing.fails"))) {
            List<Path> saved = files.toList();
            assertEquals(2, saved.size(), output);
            for (Path file : saved) assertContains(Files.readString(file), "Order shiped");
        }
    }

    @Test @Tag("list") void everyStoryHasATest() throws Exception {
        TreeSet<String> told = new TreeSet<>();
        for (Json story : Json.read(Files.readString(Path.of(System.getenv("KITS"), "stories.json"))).get("stories").list()) {
            String[] words = story.get("id").text().split("-");
            for (int number = 1; number < words.length; number++) words[number] = words[number].substring(0, 1).toUpperCase() + words[number].substring(1);
            told.add(String.join("", words) + " " + story.get("mode").text());
        }
        TreeSet<String> tested = Stream.of(StoriesTest.class, ProgramsTest.class).flatMap(test -> Arrays.stream(test.getDeclaredMethods()))
            .filter(method -> method.isAnnotationPresent(Test.class)).map(method -> method.getName() + " "
                + (method.isAnnotationPresent(Tag.class) ? method.getAnnotation(Tag.class).value() : null))
            .filter(name -> !name.endsWith(" list")).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(told, tested);
    }

    static HttpResponse<String> get(URI url) throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static int statusOf(MockAPNs apns, String namespace, String path) throws Exception {
        return get(URI.create(apns.environment().get("MOCK_APNS_API_URL") + "/api/v1/namespaces/" + namespace + path)).statusCode();
    }

    private static String failure(Executable expectation) {
        return assertThrows(AssertionFailedError.class, expectation).getMessage();
    }

    static void assertContains(String text, String... parts) {
        for (String part : parts) assertTrue(text.contains(part), () -> "expected '" + part + "' in\n" + text);
    }
}
