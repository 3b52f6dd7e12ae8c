/**
 * A mock APNs for each test of JUnit 5: a place of its own to send pushes to, phones that get them, and expectations
 * about what arrived. Begin with {@link dev.mockapns.WithMockAPNs}.
 */
package dev.mockapns;
