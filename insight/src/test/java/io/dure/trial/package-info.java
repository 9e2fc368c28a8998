/** What is said of jobs that are not submitted. */
@org.jspecify.annotations.NullMarked
package io.dure.trial;
