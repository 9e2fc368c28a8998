package io.dure.model.report;

import io.dure.model.job.JobOutcome;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a job does at the time when it is explained. */
public sealed interface JobSituation {

  /**
   * It waits.
   *
   * @param reason in Slurm's word
   * @param eligible since when nothing but resources and order keeps it, null if something does
   * @param causes what is against a start by the rules, the most decisive first
   * @param findings what blocks it: each was tried
   * @param expected when it starts
   * @param place where it stands in the queue, null while it does not stand there
   * @param remedies what would let it start sooner, best first: each was tried
   * @param depth how much was tried
   * @param holdersCut whether there was more to try to find what blocks it
   * @param remediesCut whether there was more to try to find what would let it start sooner
   */
  @RecordBuilder
  record Waits(
      String reason,
      @Nullable Instant eligible,
      List<WaitCause> causes,
      List<StartBlocker> findings,
      ExpectedStart expected,
      @Nullable QueuePosition place,
      List<StartRemedy> remedies,
      Depth depth,
      boolean holdersCut,
      boolean remediesCut)
      implements JobSituation, JobSituationWaitsBuilder.With {
    static final String TAG = "Waits";
  }

  /** How much was tried. */
  enum Depth {
    /** All that there was to try. */
    ALL,
    /** As much as one question may cost. */
    SOME,
    /** Nothing: others were being answered. */
    NOTHING
  }

  /**
   * It runs.
   *
   * @param start since when
   * @param until when it ends at the latest, null for never
   * @param nodes where, as a host list
   * @param cpus CPUs that it holds
   * @param suspended whether its processes stand still
   */
  record Runs(Instant start, @Nullable Instant until, String nodes, int cpus, boolean suspended)
      implements JobSituation {
    static final String TAG = "Runs";
  }

  /** It is over but for its nodes, which are being cleaned. */
  record Ends(Instant start, Instant end, String nodes) implements JobSituation {
    static final String TAG = "Ends";
  }

  /**
   * It is over.
   *
   * @param outcome how
   * @param start when it started, null if it never did
   * @param reason what it last waited for, null if that is not known
   */
  record Over(JobOutcome outcome, @Nullable Instant start, Instant end, @Nullable String reason)
      implements JobSituation {
    static final String TAG = "Over";
  }
}
