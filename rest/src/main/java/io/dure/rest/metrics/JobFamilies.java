package io.dure.rest.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Families of jobs. */
final class JobFamilies {
  /** Users, and accounts, that are told one by one. */
  static final int MOST_NAMES = 500;

  private JobFamilies() {}

  /** {@code slurm_jobs...}. */
  static List<MetricFamily> ofCluster(JobTally jobs) {
    List<MetricFamily> families = new ArrayList<>();
    for (JobCount one : JobCount.values()) {
      families.add(family("slurm_jobs", one, "").is(jobs.of(one)));
    }
    return families;
  }

  /** {@code slurm_user_jobs...}, {@code slurm_account_jobs...}. */
  static List<MetricFamily> ofNames(JobCensus census) {
    List<MetricFamily> families = new ArrayList<>();
    Map<String, JobTally> users = bounded(census.users());
    Map<String, JobTally> accounts = bounded(census.accounts());
    for (JobCount one : JobCount.values()) {
      families.add(labelled(family("slurm_user_jobs", one, " of a user"), "username", one, users));
    }
    for (JobCount one : JobCount.values()) {
      MetricFamily family = family("slurm_account_jobs", one, " of an account");
      families.add(labelled(family, "account", one, accounts));
    }
    return families;
  }

  /** Those with the most jobs that wait or run, and all others together. */
  static Map<String, JobTally> bounded(Map<String, JobTally> all) {
    return BoundedLabels.of(all, MOST_NAMES, JobTally::open, JobTally::plus);
  }

  static MetricFamily family(String beginning, JobCount what, String of) {
    return MetricFamily.gauge(beginning + what.ending(), what.help() + of + ".");
  }

  private static MetricFamily labelled(
      MetricFamily family, String label, JobCount what, Map<String, JobTally> all) {
    all.forEach((name, tally) -> family.of(label, name, tally.of(what)));
    return family;
  }
}
