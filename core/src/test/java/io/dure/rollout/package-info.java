/** Futures that are imagined, against what the cluster does. */
@NullMarked
package io.dure.rollout;

import org.jspecify.annotations.NullMarked;
