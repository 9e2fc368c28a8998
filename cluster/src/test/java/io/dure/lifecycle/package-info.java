/** The life of jobs and nodes, told in the words of the cluster. */
@org.jspecify.annotations.NullMarked
package io.dure.lifecycle;
