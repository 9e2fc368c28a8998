/** Daemons whose memory ends. */
@org.jspecify.annotations.NullMarked
package io.dure.e2e.memory;
