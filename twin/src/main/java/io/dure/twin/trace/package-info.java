/** What jobs a log says there were: readers of the forms in which logs of clusters come. */
@org.jspecify.annotations.NullMarked
package io.dure.twin.trace;
