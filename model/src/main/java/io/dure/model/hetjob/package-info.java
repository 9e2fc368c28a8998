/** What a job knows of the heterogeneous job that it is a component of. */
@org.jspecify.annotations.NullMarked
package io.dure.model.hetjob;
