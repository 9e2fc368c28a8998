/** Reservations: who may make them, what they keep from whom, and how they end. */
@NullMarked
package io.dure.reservation;

import org.jspecify.annotations.NullMarked;
