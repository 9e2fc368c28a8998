/** What the configuration says about jobs that make room for others. */
@org.jspecify.annotations.NullMarked
package io.dure.model.config.preempt;
