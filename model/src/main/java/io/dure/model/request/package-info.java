/** What a user asks for: a job's workload, resources, times, dependencies and array tasks. */
@org.jspecify.annotations.NullMarked
package io.dure.model.request;
