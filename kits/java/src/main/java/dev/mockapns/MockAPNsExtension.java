package dev.mockapns;

import java.lang.reflect.Method;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What {@link WithMockAPNs} adds to tests. */
final class MockAPNsExtension implements ParameterResolver {
    /** Closed by JUnit when the test, or the class of a static method, has ended. */
    private record Lent(MockAPNs apns, ExtensionContext context) implements ExtensionContext.Store.CloseableResource {
        @Override public void close() {
            String directory = Server.setting(MockAPNs.ATTACHMENTS);
            try (apns) {
                if (directory != null && context.getExecutionException().isPresent()) {
                    String test = context.getRequiredTestClass().getSimpleName() + "." + context.getTestMethod().map(Method::getName).orElse("");
                    apns.savePushes(Path.of(directory, test));
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
