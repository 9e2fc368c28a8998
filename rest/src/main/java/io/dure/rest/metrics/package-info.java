/** Metrics of the cluster and of the controller, as Prometheus and its like read them. */
@NullMarked
package io.dure.rest.metrics;

import org.jspecify.annotations.NullMarked;
