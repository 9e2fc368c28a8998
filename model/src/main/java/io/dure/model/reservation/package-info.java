/** Advance reservations: nodes that are kept for some users from one time to another. */
@NullMarked
package io.dure.model.reservation;

import org.jspecify.annotations.NullMarked;
