/** What a job demands of its nodes' features. */
@org.jspecify.annotations.NullMarked
package io.dure.core.scheduler.constraint;
