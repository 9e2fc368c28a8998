/** Jobs that are suspended, and jobs that make room for others, in the words of users. */
@org.jspecify.annotations.NullMarked
package io.dure.preemption;
