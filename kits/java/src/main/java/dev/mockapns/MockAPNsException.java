package dev.mockapns;

/** The mock APNs cannot do what was asked of it. The message says why, and how to go on. */
public final class MockAPNsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MockAPNsException(String message, Throwable cause) { super("mock-apns: " + message, cause); }
}
