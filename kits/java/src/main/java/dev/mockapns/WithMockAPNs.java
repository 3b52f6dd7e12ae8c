package dev.mockapns;

import java.lang.annotation.*;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives tests a parameter of the type {@link MockAPNs}, each test its own. It ends with the test. If the test fails and
 * MOCK_APNS_ATTACHMENTS is a directory, the pushes are saved there.
 */
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(MockAPNsExtension.class)
public @interface WithMockAPNs {}
