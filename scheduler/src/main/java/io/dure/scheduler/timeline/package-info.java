/**
 * The nodes now and later: what running, started and promised jobs hold of them, and where and when
 * a request fits.
 */
@org.jspecify.annotations.NullMarked
package io.dure.scheduler.timeline;
