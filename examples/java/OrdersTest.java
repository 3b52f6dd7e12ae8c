import static dev.mockapns.Condition.*;
import static dev.mockapns.Effect.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.mockapns.Condition;
import dev.mockapns.Effect;
import dev.mockapns.MockAPNs;
import dev.mockapns.Phone;
import dev.mockapns.WithMockAPNs;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the provider has to do, tested against mock-apns. Each test has a mock of its own, so they run at the same time. */
@WithMockAPNs
@Execution(ExecutionMode.CONCURRENT)
class OrdersTest {
    /** A provider for a customer "alice", and her phone. */
    private static final class Shop {
        static final String TOPIC = "com.example.shop";
        final List<Duration> pauses = new ArrayList<>();
        final Phone phone;
        private final Orders orders;

        Shop(MockAPNs apns) { this(apns, TOPIC, Clock.systemUTC()); }

        Shop(MockAPNs apns, String topicOfProvider, Clock clock) {
            phone = apns.phone(TOPIC);
            Set<String> tokens = new HashSet<>(Set.of(phone.token()));
            Orders.APNs server = new Orders.APNs(
                apns.url(), topicOfProvider, apns.key().privateKey(), apns.key().id(), apns.key().teamId(), apns.sslContext());
            orders = new Orders(server, Map.of("alice", tokens), clock, pauses::add);
        }

        void ship(String... ids) throws Exception {
            for (String id : ids) orders.shipped(id, "alice");
        }
    }

    @Test void aShippedOrderReachesThePhone(MockAPNs apns) throws Exception {
        Shop shop = new Shop(apns);
        shop.ship("17");
        var push = apns.expect(to(shop.phone), title("Order shipped"), delivery("delivered"), order("17"));
        assertEquals(List.of(), push.warnings());
    }

    @Test void aRefusedPushIsAnError(MockAPNs apns) {
        Shop shop = new Shop(apns, "com example shop", Clock.systemUTC());
        assertEquals("400 BadTopic", assertThrows(Orders.Refused.class, () -> shop.ship("17")).getMessage());
    }

    @Test void aPhoneWithoutTheAppGetsNoMorePushes(MockAPNs apns) throws Exception {
        Shop shop = new Shop(apns);
        shop.phone.uninstall();
        shop.ship("17", "18");
        apns.expectExactly(1, status(410));
    }

    @ParameterizedTest @ValueSource(ints = {429, 503})
    void aPushIsSentAgainLater(int status, MockAPNs apns) throws Exception {
        Shop shop = new Shop(apns);
        apns.addFault(respond(status).times(2));
        shop.ship("17");
        apns.expectExactly(2, status(status));
        apns.expectExactly(1, order("17"));
        assertEquals(List.of(Duration.ofSeconds(1), Duration.ofSeconds(2)), shop.pauses);
    }

    @Test void theProviderTokenIsRenewedWithinTheHour(MockAPNs apns) throws Exception {
        Shop shop = new Shop(apns, Shop.TOPIC, apns.clock());
        shop.ship("17");
        apns.clock().advance(Duration.ofMinutes(61));
        shop.ship("18");
        apns.expectExactly(2, new Condition("verification", "verified"));
    }

    @Test void aPhoneThatWasOfflineShowsTheLastPush(MockAPNs apns) throws Exception {
        Shop shop = new Shop(apns);
        shop.phone.goOffline();
        shop.ship("17", "18", "19");
        shop.phone.goOnline();
        assertEquals(List.of("Order 19 is on its way."), shop.phone.inbox().stream().map(Phone.Notification::body).toList());
    }

    static Stream<Effect> ends() {
        return Stream.of(Effect.of(Map.of("goaway", Map.of("lastStream", "zero", "close", "now"))), resetStream(), resetConnection());
    }

    @ParameterizedTest @MethodSource("ends")
    void aPushSurvivesTheEndOfItsStreamOrConnection(Effect end, MockAPNs apns) throws Exception {
        Shop shop = new Shop(apns);
        shop.ship("17");
        apns.addFault(end.times(1));
        shop.ship("18", "19");
        for (String id : List.of("17", "18", "19")) apns.expect(order(id));
    }

    @ParameterizedTest @ValueSource(ints = {1, 2, 3})
    void parallelTestsDoNotAffectEachOther(int failures, MockAPNs apns) throws Exception {
        Shop shop = new Shop(apns);
        apns.addFault(respond(503).times(failures));
        shop.ship("with " + failures);
        apns.expectExactly(1);
        apns.expect(order("with " + failures));
        assertEquals(failures, shop.pauses.size());
    }

    private static Condition order(String id) { return payload("/orderId", id); }
}
