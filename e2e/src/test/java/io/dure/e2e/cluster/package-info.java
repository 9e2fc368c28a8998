/** Clusters of real daemons and their users, for the tests with real processes. */
@NullMarked
package io.dure.e2e.cluster;

import org.jspecify.annotations.NullMarked;
