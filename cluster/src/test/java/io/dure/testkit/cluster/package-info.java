/** A cluster in one thread and on a clock of its own, for tests that speak of jobs and nodes. */
@org.jspecify.annotations.NullMarked
package io.dure.testkit.cluster;
