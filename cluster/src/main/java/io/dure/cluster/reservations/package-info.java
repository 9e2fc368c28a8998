/** Making, changing and ending reservations: what is asked for in, events or a refusal out. */
@NullMarked
package io.dure.cluster.reservations;

import org.jspecify.annotations.NullMarked;
