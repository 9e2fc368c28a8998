/** What the controllers of a cluster say to each other, over TLS. */
@NullMarked
package io.dure.controller.peer;

import org.jspecify.annotations.NullMarked;
