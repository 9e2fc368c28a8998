package io.dure.node.agent;

import io.dure.model.job.Job;
import io.dure.model.jobtext.JobTexts;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The daemon's own record of each run, which outlives it. One thread calls. */
public interface RunSpool {
  /**
   * What a launch brought.
   *
   * @param job the job
   * @param cluster the cluster's name
   * @param texts its script and environment; empty ones where only its epilog is left to run
   * @param components all components of the heterogeneous job that it leads, empty for none
   */
  record StoredJob(Job job, String cluster, JobTexts texts, List<Job> components) {}

  /**
   * A run found in the spool.
   *
   * @param sameBoot false if the machine was booted since: nothing of the run lives
   */
  record Found(RunState state, StoredJob job, boolean sameBoot) {}

  /** The run's directory. */
  Path directory(RunId id);

  /**
   * Stores a new run.
   *
   * @throws IOException if it cannot be; nothing is left of it then
   */
  void create(RunState state, StoredJob job) throws IOException;

  /**
   * Stores how far a run has come.
   *
   * @throws IOException if it cannot be; the former state is still there then
   */
  void save(RunState state) throws IOException;

  /** Removes a run with all that is in its directory. */
  void remove(RunId id);

  /**
   * All runs in the spool. What cannot be read is moved aside, after {@code salvage} had a look at
   * it.
   */
  List<Found> load(Consumer<Path> salvage) throws IOException;

  /**
   * Removes every run, for a daemon that is told to begin anew.
   *
   * @param salvage ends what runs in a directory
   */
  void clear(Consumer<Path> salvage) throws IOException;
}
