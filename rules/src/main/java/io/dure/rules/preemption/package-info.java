/** Which jobs may make room for which, and which of them do so that a job can start. */
@org.jspecify.annotations.NullMarked
package io.dure.rules.preemption;
