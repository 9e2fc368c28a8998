/** What the controller counts of whole jobs. */
@org.jspecify.annotations.NullMarked
package io.dure.statistics;
