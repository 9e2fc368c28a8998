package io.dure.bench.families;

import io.dure.twin.trace.TraceJob;
import java.util.List;

/**
 * A log of a family.
 *
 * @param name what it is made of and how it was changed
 * @param processors of its machine
 * @param jobs by submission
 */
record FamilyTrace(String name, int processors, List<TraceJob> jobs) {
  FamilyTrace {
    jobs = List.copyOf(jobs);
  }
}
