/** What the cluster keeps of a job: its state, holds, allocation and outcome. */
@org.jspecify.annotations.NullMarked
package io.dure.model.job;
