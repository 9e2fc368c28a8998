/** The digital twin: jobs of a trace meet the scheduler on a machine that is only described. */
@org.jspecify.annotations.NullMarked
package io.dure.twin;
