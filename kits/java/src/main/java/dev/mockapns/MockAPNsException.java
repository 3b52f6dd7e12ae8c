package dev.mockapns;

import java.util.concurrent.Callable;

/** The mock APNs cannot do what was asked of it. The message says why, and how to go on. */
public final class MockAPNsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MockAPNsException(String message, Throwable cause) { super("mock-apns: " + message, cause); }

    /** The result of an action; if it fails, this message with the reason in place of {@code %s}. */
    static <Result> Result unless(String message, Callable<Result> action) {
        try {
            return action.call();
        } catch (MockAPNsException error) {
            throw error;
        } catch (Exception error) {
            if (error instanceof InterruptedException) Thread.currentThread().interrupt();
            throw new MockAPNsException(message.replace("%s", error.toString()), error);
        }
    }
}
