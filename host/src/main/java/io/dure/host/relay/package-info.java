/** Frames of steps on their way between machines: from a front end to node daemons and back. */
@NullMarked
package io.dure.host.relay;

import org.jspecify.annotations.NullMarked;
