/** Cases of the scheduler. */
@org.jspecify.annotations.NullMarked
package io.dure.scheduler;
