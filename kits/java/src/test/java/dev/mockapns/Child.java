package dev.mockapns;

import static dev.mockapns.Condition.title;
import static dev.mockapns.Provider.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests that stories run: in this JVM, or in another one with other variables. */
final class Child {
    @WithMockAPNs
    static class Failing {
        static String namespace;

        @Test void fails(MockAPNs apns) throws Exception {
            namespace = apns.namespace();
            new Provider(apns).send(apns.phone(TOPIC).token(), "Order shiped");
            apns.expect(Duration.ZERO, title("Order shipped"));
        }
    }

    @WithMockAPNs
    static class Broken {
        static String namespace;

        @Test void breaks(MockAPNs apns) {
            namespace = apns.namespace();
            throw new IllegalStateException("for another reason");
        }
    }

    @WithMockAPNs
    static class Passing {
        static String namespace;

        @BeforeEach void begin(MockAPNs apns) { namespace = apns.namespace(); }

        @Test void passes(MockAPNs apns) throws Exception {
            assertEquals(namespace, apns.namespace());
            assertEquals(200, new Provider(apns).send(apns.phone(TOPIC).token(), "one"));
            System.out.println("handle " + Json.write(apns.environment()));
            if (System.getenv("KIT_WAITS") != null) System.in.read();
        }
    }

    @WithMockAPNs
    static class Two {
        @Test void two(MockAPNs one) throws Exception {
            try (MockAPNs two = MockAPNs.open("two")) {
                assertEquals(200, new Provider(one).send(one.phone(TOPIC).token(), "one"));
                assertEquals(200, new Provider(two).send(two.phone(TOPIC).token(), "two"));
                assertEquals("one", one.expectExactly(1).get(0).title());
                assertEquals("two", two.expectExactly(1).get(0).title());
                System.out.println("handle " + Json.write(one.environment()));
            }
        }
    }

    @WithMockAPNs
    @Execution(ExecutionMode.CONCURRENT)
    static class Parallel {
        @RepeatedTest(200) void parallel(MockAPNs apns, RepetitionInfo number) throws Exception {
            String title = "Order " + number.getCurrentRepetition();
            assertEquals(200, new Provider(apns).send(apns.phone(TOPIC, Map.of("label", "alice"), Map.of()).token(), title));
            assertEquals(title, apns.expectExactly(1, Condition.device("alice")).get(0).title());
        }
    }

    /** Runs a class in this JVM. */
    static TestExecutionSummary here(Class<?> test) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectClass(test))
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
            .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
            .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "200").build(), listener);
        return listener.getSummary();
    }

    /** Starts a class in a JVM of its own; the path comes before this JVM's. */
    static Process start(Class<?> test, String path, Map<String, String> variables) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        variables.forEach((name, value) -> {
            if (name.contains(".")) command.add("-D" + name + "=" + value); // is a system property
        });
        command.addAll(List.of("-cp", path + ":" + System.getProperty("java.class.path"), "org.junit.platform.console.ConsoleLauncher",
            "--disable-banner", "--disable-ansi-colors", "--details=tree", "--details-theme=ascii", "--select-class", test.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        return builder.start();
    }

    static String run(Class<?> test, String path, Map<String, String> variables) throws Exception {
        Process process = start(test, path, variables);
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes()) + "exit code " + process.waitFor();
    }

    /** The variables of a handle of another JVM, which has sent a push. */
    static Json handle(String output) {
        return Json.read(output.lines().filter(line -> line.startsWith("handle ")).findFirst().orElseThrow(() -> new AssertionError(output)).substring(7));
    }
}
