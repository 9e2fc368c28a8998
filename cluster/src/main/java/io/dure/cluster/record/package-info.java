/** What of the cluster's events the accounting database is told (docs/accounting.md). */
@NullMarked
package io.dure.cluster.record;

import org.jspecify.annotations.NullMarked;
