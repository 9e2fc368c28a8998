/** What starts where and when: a pure function from a view of the cluster to a plan. */
@org.jspecify.annotations.NullMarked
package io.dure.scheduler;
