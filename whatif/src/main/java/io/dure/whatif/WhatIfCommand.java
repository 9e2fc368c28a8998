package io.dure.whatif;

import io.dure.twin.ReplayContinuation;
import io.dure.twin.ReplayMachine;
import io.dure.twin.ReplayRunTimes;
import io.dure.twin.TraceReplay;
import io.dure.twin.result.JobResult;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.simulate.ProgressBar;
import io.dure.twin.simulate.SimulateUsageException;
import io.dure.twin.trace.TraceException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;

/** {@code ./dure whatif}: lets a cluster go on as it is, and as it might be, and compares. */
final class WhatIfCommand {
  private static final int WRONG = 2;

  /** How long a job that is submitted is waited for. */
  private static final Duration PATIENCE = Duration.ofDays(30);

  /** Nobody notices a minute; a cluster's own backfill may look less often. */
  private static final Duration PACE = Duration.ofSeconds(WhatIfComparison.NOTICED);

  private final PrintStream out;
  private final PrintStream err;
  private final WhatIfEnvironment around;

  /**
   * What a call stands in.
   *
   * @param directory from which files are named
   * @param configuration the slurm.conf that is in force
   * @param user who asks
   * @param clock the time
   * @param zone the time zone
   * @param nanos a clock that only runs forward, in nanoseconds
   * @param bar whether somebody looks at standard error while it runs
   */
  record WhatIfEnvironment(
      Path directory,
      Path configuration,
      String user,
      InstantSource clock,
      ZoneId zone,
      LongSupplier nanos,
      boolean bar) {}

  WhatIfCommand(PrintStream out, PrintStream err, WhatIfEnvironment around) {
    this.out = out;
    this.err = err;
    this.around = around;
  }

  /** Exit code 0, 1 if what it begins from cannot be had, 2 for wrong usage. */
  int run(List<String> arguments) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      out.print(WhatIfHelpText.TEXT);
      return 0;
    }
    try {
      WhatIfOptions options = new WhatIfOptionReader(around.directory()).read(arguments);
      WhatIfComparison comparison = compare(options);
      out.print(
          options.json()
              ? WhatIfJsonReport.text(comparison)
              : WhatIfTableReport.text(comparison, options.all()));
      Path html = options.html();
      if (html != null) {
        Files.writeString(html, WhatIfHtmlReport.text(comparison));
      }
      return 0;
    } catch (SimulateUsageException e) {
      err.println("whatif: " + e.getMessage());
      return WRONG;
    } catch (TraceException e) {
      err.println("whatif: " + e.text());
      return 1;
    } catch (IOException e) {
      err.println("whatif: cannot write: " + e.getMessage());
      return 1;
    }
  }

  /** The cluster as it goes on, and as it would. */
  WhatIfComparison compare(WhatIfOptions options) throws SimulateUsageException, TraceException {
    WhatIfSource source =
        WhatIfSource.open(options, around.configuration(), around.clock().instant(), around.zone());
    boolean log = source.runTimes() == ReplayRunTimes.AS_THEY_ARE;
    ZoneId zone = log ? ZoneOffset.UTC : around.zone();
    ReplayRunTimes times = options.runTimes() == null ? source.runTimes() : options.runTimes();
    List<WhatIfOptions.HypotheticalScenario> all = new ArrayList<>();
    all.add(new WhatIfOptions.HypotheticalScenario("as it is", List.of()));
    all.addAll(options.suppositions());
    List<Way> ways = new ArrayList<>();
    for (WhatIfOptions.HypotheticalScenario one : all) {
      ways.add(way(source, one, times, zone));
    }
    Duration interval = source.state().settings().scheduling().backfills().interval();
    source
        .replay()
        .pace(
            interval.compareTo(PACE) > 0 ? interval : PACE,
            WhatIfSource.policy(source.state().settings(), null));
    source.replay().runTo(source.window().from());
    return comparison(source, outcomes(source, ways), times, zone);
  }

  /**
   * How the cluster goes on.
   *
   * @param remarks what keeps changes from having an effect, in sentences
   */
  private record Way(String title, ReplayContinuation turn, List<String> remarks) {}

  private Way way(
      WhatIfSource source,
      WhatIfOptions.HypotheticalScenario one,
      ReplayRunTimes times,
      ZoneId zone)
      throws SimulateUsageException {
    Instant at = source.window().from();
    ScenarioBuilder otherwise =
        new ScenarioBuilder(source.state(), at, zone, around.user(), around.directory());
    otherwise.make(one.changes());
    ReplayContinuation turn =
        new ReplayContinuation(
            at,
            ReplayMachine.of(otherwise.state()),
            otherwise.state().accounts(),
            WhatIfSource.policy(otherwise.state().settings(), otherwise.order()),
            otherwise.submitted(),
            times);
    return new Way(one.title(), turn, IneffectiveChanges.remarks(otherwise.state(), one.changes()));
  }

  /** Each goes on by itself from where all of them part, as many at a time as there are cores. */
  private List<ScenarioResult> outcomes(WhatIfSource source, List<Way> ways) {
    ProgressBar bar = new ProgressBar(err, "replaying", around.nanos());
    List<FutureTask<ScenarioResult>> tasks = new ArrayList<>();
    for (int i = 0; i < ways.size(); i++) {
      Way way = ways.get(i);
      ReplayProgressListener hears = around.bar() && i == 0 ? bar : ReplayProgressListener.SILENT;
      TraceReplay fork = source.replay().fork(way.turn(), hears);
      tasks.add(new FutureTask<>(() -> outcome(source, way, fork)));
    }
    try (ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      tasks.forEach(workers::execute);
      List<ScenarioResult> outcomes = new ArrayList<>();
      for (FutureTask<ScenarioResult> task : tasks) {
        outcomes.add(task.get());
      }
      return outcomes;
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("a replay broke off", e);
    } finally {
      bar.clear();
    }
  }

  private static ScenarioResult outcome(WhatIfSource source, Way way, TraceReplay replay) {
    ReplayContinuation turn = way.turn();
    replay.runTo(source.window().to());
    int first = source.replay().arrived();
    ReplayResult schedule = replay.schedule();
    List<JobResult> results = schedule.results();
    List<WhatIfJobResult> fates = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      if (i < first || i >= first + turn.submitted().size()) {
        fates.add(WhatIfJobResult.of(results.get(i)));
      }
    }
    List<WhatIfJobResult> submitted = submitted(replay, first, turn, source.window().to());
    ReplayMachine machine = turn.machine();
    ScenarioResult.Size size =
        new ScenarioResult.Size(
            machine.cpus(), machine.gpus(), machine.openCpus(), machine.openGpus());
    return new ScenarioResult(
        way.title(),
        fates,
        submitted,
        schedule.interruptions(),
        schedule.digest(),
        size,
        source.window(),
        way.remarks());
  }

  /** What becomes of the jobs that are submitted, however long they wait. */
  private static List<WhatIfJobResult> submitted(
      TraceReplay replay, int first, ReplayContinuation turn, Instant end) {
    List<WhatIfJobResult> fates = new ArrayList<>();
    int last = first + turn.submitted().size();
    Instant patience = turn.at().plus(PATIENCE);
    Instant until = end;
    while (until.isBefore(patience) && !allSettled(replay, first, last)) {
      until = until.plus(Duration.ofHours(6));
      replay.runTo(until);
    }
    List<JobResult> results = replay.schedule().results();
    for (int i = first; i < last; i++) {
      fates.add(WhatIfJobResult.of(results.get(i)));
    }
    return fates;
  }

  private static boolean allSettled(TraceReplay replay, int first, int last) {
    for (int i = first; i < last; i++) {
      if (!replay.isSettled(i)) {
        return false;
      }
    }
    return true;
  }

  private static WhatIfComparison comparison(
      WhatIfSource source, List<ScenarioResult> outcomes, ReplayRunTimes times, ZoneId zone) {
    long begin = source.window().from().getEpochSecond();
    List<Integer> places = new ArrayList<>();
    int running = 0;
    int waiting = 0;
    List<WhatIfJobResult> base = outcomes.getFirst().fates();
    for (int place = 0; place < base.size(); place++) {
      WhatIfJobResult fate = base.get(place);
      boolean over = fate.end() != null && fate.end() <= begin && fate.startedBy(begin);
      boolean ran = fate.startedBy(begin);
      int here = place;
      boolean refused = outcomes.stream().anyMatch(one -> one.fates().get(here).refused() != null);
      running += ran && !over ? 1 : 0;
      waiting += !ran && !refused && place < source.replay().arrived() ? 1 : 0;
      if (!ran && !refused) {
        places.add(place);
      }
    }
    WhatIfComparison.Heading heading =
        new WhatIfComparison.Heading(source.name(), source.moment(), told(times));
    return new WhatIfComparison(heading, zone, outcomes, places, running, waiting, source.left());
  }

  private static String told(ReplayRunTimes times) {
    return switch (times) {
      case AS_THEY_ARE -> "jobs run as long as they did";
      case KNOWN -> "jobs run as long as they did where that is known, else as is expected of them";
      case PREDICTED -> "jobs run as long as is expected of them";
      case LIMIT -> "jobs run to their limits";
    };
  }
}
