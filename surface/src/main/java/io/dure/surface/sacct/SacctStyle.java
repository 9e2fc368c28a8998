package io.dure.surface.sacct;

import io.dure.surface.facts.JobIdFormat;
import io.dure.surface.print.SizeUnits;
import io.dure.surface.print.TimestampFormat;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the listing writes its values.
 *
 * @param cluster the name of the cluster that the jobs are of
 * @param tres what that counts beside the usual resources, {@code gres/gpu}
 * @param times how moments are written
 * @param now when it is printed
 * @param from begin of the time that was asked for, null for none
 * @param until its end, null for none
 * @param truncates whether times outside of it are shown as its begin or end
 * @param units in which sizes stand
 * @param ids how ids of jobs are written
 * @param expandsPatterns whether patterns in the names of files are filled in
 */
public record SacctStyle(
    String cluster,
    List<String> tres,
    TimestampFormat times,
    Instant now,
    @Nullable Instant from,
    @Nullable Instant until,
    boolean truncates,
    SizeUnits units,
    JobIdFormat ids,
    boolean expandsPatterns) {

  /** One that leaves the names of files as they were given. */
  public SacctStyle(
      String cluster,
      List<String> tres,
      TimestampFormat times,
      Instant now,
      @Nullable Instant from,
      @Nullable Instant until,
      boolean truncates,
      SizeUnits units,
      JobIdFormat ids) {
    this(cluster, tres, times, now, from, until, truncates, units, ids, false);
  }
}
