/** Finding the records of jobs that belong together, free ids, and what follows from all jobs. */
@org.jspecify.annotations.NullMarked
package io.dure.cluster.derived;
