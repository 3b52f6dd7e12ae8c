package dev.mockapns;

import java.lang.reflect.Method;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.*;

/** What {@link WithMockAPNs} adds to tests. */
final class MockAPNsExtension implements ParameterResolver {
    /** Closed by JUnit when the test, or the class of a static method, has ended. */
    private record Lent(MockAPNs apns, ExtensionContext context) implements ExtensionContext.Store.CloseableResource {
        @Override public void close() {
            String directory = Server.settings().get("MOCK_APNS_ATTACHMENTS");
            try (apns) {
                if (directory != null && context.getExecutionException().isPresent()) {
                    String method = context.getTestMethod().map(Method::getName).orElse("");
                    apns.savePushes(Path.of(directory, context.getRequiredTestClass().getSimpleName() + "." + method));
                }
            }
        }
    }

    @Override public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == MockAPNs.class;
    }

    @Override public MockAPNs resolveParameter(ParameterContext parameter, ExtensionContext context) {
        var store = context.getStore(ExtensionContext.Namespace.create(MockAPNsExtension.class, context.getUniqueId()));
        String name = context.getTestMethod().map(Method::getName).orElse(context.getDisplayName());
        return store.getOrComputeIfAbsent("apns", key -> new Lent(MockAPNs.open(name), context), Lent.class).apns();
    }
}
