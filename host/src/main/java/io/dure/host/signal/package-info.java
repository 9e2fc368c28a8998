/** Signals that administrators send to daemons. */
@org.jspecify.annotations.NullMarked
package io.dure.host.signal;
