/** What accounts and users hold of a cluster and wait for, and what is left. */
@org.jspecify.annotations.NullMarked
package io.dure.insight.holdings;
