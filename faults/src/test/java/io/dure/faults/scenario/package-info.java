/** What happens to a simulated cluster, written down before it happens. */
@org.jspecify.annotations.NullMarked
package io.dure.faults.scenario;
