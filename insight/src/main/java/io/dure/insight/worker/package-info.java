/** Start-time forecasts of pending jobs, computed in a worker process of their own. */
@org.jspecify.annotations.NullMarked
package io.dure.insight.worker;
