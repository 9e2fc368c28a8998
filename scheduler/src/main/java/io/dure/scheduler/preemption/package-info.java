/** Which running jobs make room for one that waits. */
@NullMarked
package io.dure.scheduler.preemption;

import org.jspecify.annotations.NullMarked;
