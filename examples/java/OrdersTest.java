import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the provider has to do, tested against mock-apns. */
class OrdersTest {
    @Test void aShippedOrderReachesThePhone() throws Exception {
        try (MockAPNs mock = new MockAPNs()) {
            mock.orders.shipped("17", "alice");
            mock.verify("""
                {'token': '%s', 'title': 'Order shipped', 'delivery': 'delivered', 'lint': {'absent': true},
                 'payload': {'at': '/orderId', 'equals': '17'}}""".formatted(mock.phone), "1");
        }
    }

    @Test void aRefusedPushIsAnError() throws Exception {
        try (MockAPNs mock = new MockAPNs("com example shop")) {
            Exception error = assertThrows(Orders.Refused.class, () -> mock.orders.shipped("17", "alice"));
            assertEquals("400 BadTopic", error.getMessage());
        }
    }

    @Test void aPhoneWithoutTheAppGetsNoMorePushes() throws Exception {
        try (MockAPNs mock = new MockAPNs()) {
            mock.call("PATCH", "/registrations/" + mock.phone, "{'state': 'uninstalled'}");
            mock.orders.shipped("17", "alice");
            mock.orders.shipped("18", "alice");
            mock.verify("{'verdict': {'status': 410}}", "1");
        }
    }

    @ParameterizedTest @ValueSource(ints = {429, 503})
    void aPushIsSentAgainLater(int status) throws Exception {
        try (MockAPNs mock = new MockAPNs()) {
            mock.fault("{'respond': {'status': %d}}".formatted(status), 2);
            mock.orders.shipped("17", "alice");
            mock.verify("{'verdict': {'status': %d}}".formatted(status), "2");
            mock.verify(order("17"), "1");
            assertEquals(List.of(Duration.ofSeconds(1), Duration.ofSeconds(2)), mock.pauses);
        }
    }

    @Test void theProviderTokenIsRenewedWithinTheHour() throws Exception {
        try (MockAPNs mock = new MockAPNs()) {
            mock.orders.shipped("17", "alice");
            mock.advance(Duration.ofMinutes(61));
            mock.orders.shipped("18", "alice");
            mock.verify("{'verification': 'verified'}", "2");
        }
    }

    @Test void aPhoneThatWasOfflineShowsTheLastPush() throws Exception {
        try (MockAPNs mock = new MockAPNs()) {
            mock.call("PATCH", "/devices/@phone", "{'state': 'offline'}");
            for (String order : List.of("17", "18", "19")) {
                mock.orders.shipped(order, "alice");
            }
            mock.call("PATCH", "/devices/@phone", "{'state': 'online'}");
            String inbox = mock.call("GET", "/devices/@phone/inbox", "");
            assertTrue(inbox.contains("Order 19") && !inbox.contains("Order 17") && !inbox.contains("Order 18"), inbox);
        }
    }

    @ParameterizedTest @ValueSource(strings = {
        "{'goaway': {'lastStream': 'zero', 'close': 'now'}}", "{'stream': {'reset': 'INTERNAL_ERROR'}}", "{'connection': 'rst'}"
    })
    void aPushSurvivesTheEndOfItsStreamOrConnection(String action) throws Exception {
        try (MockAPNs mock = new MockAPNs()) {
            mock.orders.shipped("17", "alice");
            mock.fault(action, 1);
            mock.orders.shipped("18", "alice");
            mock.orders.shipped("19", "alice");
            for (String order : List.of("17", "18", "19")) {
                mock.verify(order(order), "{'atLeast': 1}");
            }
        }
    }

    @Test void namespacesDoNotAffectEachOther() throws Exception {
        List<Callable<Integer>> tests = List.of(() -> ship(0), () -> ship(1), () -> ship(2));
        ExecutorService threads = Executors.newFixedThreadPool(tests.size());
        List<Future<Integer>> pauses = threads.invokeAll(tests);
        threads.shutdown();
        for (int failures = 0; failures < pauses.size(); failures++) {
            assertEquals(failures, pauses.get(failures).get());
        }
    }

    /** Ships an order in a namespace with this number of failures; returns how often the provider paused. */
    private static int ship(int failures) throws Exception {
        try (MockAPNs mock = new MockAPNs()) {
            for (int number = 0; number < failures; number++) {
                mock.fault("{'respond': {'status': 503}}", 1);
            }
            mock.orders.shipped("with " + failures, "alice");
            mock.verify("{}", "1");
            mock.verify(order("with " + failures), "1");
            return mock.pauses.size();
        }
    }

    private static String order(String order) {
        return "{'payload': {'at': '/orderId', 'equals': '%s'}}".formatted(order);
    }
}
