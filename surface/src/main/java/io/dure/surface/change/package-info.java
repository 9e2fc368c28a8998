/** What documents change of a cluster, in the words of {@code scontrol}. */
@NullMarked
package io.dure.surface.change;

import org.jspecify.annotations.NullMarked;
