package io.dure.whatif;

import io.dure.twin.ReplayRunTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ./dure whatif} was asked for.
 *
 * @param from where it begins
 * @param suppositions what is asked about, one for each answer
 * @param lasts how long is looked at, null for as long as is usual
 * @param runTimes how long jobs run, null for as long as is usual
 * @param json whether a document is printed
 * @param all whether everybody is listed
 * @param html where a page is written, null for nowhere
 */
record WhatIfOptions(
    From from,
    List<HypotheticalScenario> suppositions,
    @Nullable Duration lasts,
    @Nullable ReplayRunTimes runTimes,
    boolean json,
    boolean all,
    @Nullable Path html) {
  WhatIfOptions {
    suppositions = List.copyOf(suppositions);
  }

  /**
   * Where to begin.
   *
   * @param trace a stream of submissions, or the StateSaveLocation of a controller; null for the
   *     one that the configuration names
   * @param conf the slurm.conf, null for the one that is in force
   * @param accounts a dump or script of sacctmgr, null for none
   * @param day a day, as a date or as a number from 1 on; null for none
   * @param begin the first second, null for now
   * @param end the last second, null where it follows from the others
   */
  record From(
      @Nullable Path trace,
      @Nullable Path conf,
      @Nullable Path accounts,
      @Nullable String day,
      @Nullable String begin,
      @Nullable String end) {}

  /**
   * What is otherwise in one answer.
   *
   * @param name what it is called, null for what its changes say
   * @param changes in the order in which they are made
   */
  record HypotheticalScenario(@Nullable String name, List<WhatIfChange> changes) {
    HypotheticalScenario {
      changes = List.copyOf(changes);
    }

    /** What it is called. */
    String title() {
      if (name != null) {
        return name;
      }
      List<String> texts = new ArrayList<>();
      changes.forEach(change -> texts.add(change.text()));
      return String.join(", ", texts);
    }
  }
}
