/** Bounds on what a daemon's callers may use: amounts held at a time, and requests in a second. */
@org.jspecify.annotations.NullMarked
package io.dure.host.quota;
