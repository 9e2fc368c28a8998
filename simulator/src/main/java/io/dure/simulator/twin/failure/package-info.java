/** How nodes fail in a twin, and when they come back. */
@NullMarked
package io.dure.simulator.twin.failure;

import org.jspecify.annotations.NullMarked;
