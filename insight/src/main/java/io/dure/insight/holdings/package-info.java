/** Who holds what of a cluster, who waits for what, and what is left: by account and user. */
@org.jspecify.annotations.NullMarked
package io.dure.insight.holdings;
