/** Counting: what was asked, what became of jobs, and how long planning took. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.statistics;
