package io.dure.simulator.twin.whatif;

import io.dure.simulator.twin.JobResult;
import io.dure.simulator.twin.Machine;
import io.dure.simulator.twin.Progress;
import io.dure.simulator.twin.Replay;
import io.dure.simulator.twin.RunTimes;
import io.dure.simulator.twin.Schedule;
import io.dure.simulator.twin.command.ProgressBar;
import io.dure.simulator.twin.command.UsageException;
import io.dure.simulator.twin.trace.TraceException;
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
final class WhatIf {
  private static final int WRONG = 2;

  /** How long a job that is submitted is waited for. */
  private static final Duration PATIENCE = Duration.ofDays(30);

  /** Nobody notices a minute; a cluster's own backfill may look less often. */
  private static final Duration PACE = Duration.ofSeconds(Comparison.NOTICED);

  private final PrintStream out;
  private final PrintStream err;
  private final Surroundings around;

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
  record Surroundings(
      Path directory,
      Path configuration,
      String user,
      InstantSource clock,
      ZoneId zone,
      LongSupplier nanos,
      boolean bar) {}

  WhatIf(PrintStream out, PrintStream err, Surroundings around) {
    this.out = out;
    this.err = err;
    this.around = around;
  }

  /** Exit code 0, 1 if what it begins from cannot be had, 2 for wrong usage. */
  int run(List<String> arguments) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      out.print(WhatIfUsage.TEXT);
      return 0;
    }
    try {
      WhatIfOptions options = new WhatIfReader(around.directory()).read(arguments);
      Comparison comparison = compare(options);
      out.print(
          options.json()
              ? WhatIfJson.text(comparison)
              : WhatIfTable.text(comparison, options.all()));
      Path html = options.html();
      if (html != null) {
        Files.writeString(html, WhatIfPage.text(comparison));
      }
      return 0;
    } catch (UsageException e) {
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
  Comparison compare(WhatIfOptions options) throws UsageException, TraceException {
    Source source =
        Source.open(options, around.configuration(), around.clock().instant(), around.zone());
    boolean log = source.runTimes() == RunTimes.AS_THEY_ARE;
    ZoneId zone = log ? ZoneOffset.UTC : around.zone();
    RunTimes times = options.runTimes() == null ? source.runTimes() : options.runTimes();
    List<WhatIfOptions.Supposition> all = new ArrayList<>();
    all.add(new WhatIfOptions.Supposition("as it is", List.of()));
    all.addAll(options.suppositions());
    List<Way> ways = new ArrayList<>();
    for (WhatIfOptions.Supposition one : all) {
      ways.add(way(source, one, times, zone));
    }
    Duration interval = source.state().settings().scheduling().backfills().interval();
    source
        .replay()
        .pace(
            interval.compareTo(PACE) > 0 ? interval : PACE,
            Source.policy(source.state().settings(), null));
    source.replay().runTo(source.window().from());
    return comparison(source, outcomes(source, ways), times, zone);
  }

  /**
   * How the cluster goes on.
   *
   * @param remarks what keeps changes from having an effect, in sentences
   */
  private record Way(String title, Replay.Turn turn, List<String> remarks) {}

  private Way way(Source source, WhatIfOptions.Supposition one, RunTimes times, ZoneId zone)
      throws UsageException {
    Instant at = source.window().from();
    Otherwise otherwise =
        new Otherwise(source.state(), at, zone, around.user(), around.directory());
    otherwise.make(one.changes());
    Replay.Turn turn =
        new Replay.Turn(
            at,
            Machine.of(otherwise.state()),
            otherwise.state().accounts(),
            Source.policy(otherwise.state().settings(), otherwise.order()),
            otherwise.submitted(),
            times);
    return new Way(one.title(), turn, Idle.remarks(otherwise.state(), one.changes()));
  }

  /** Each goes on by itself from where all of them part, as many at a time as there are cores. */
  private List<Outcome> outcomes(Source source, List<Way> ways) {
    ProgressBar bar = new ProgressBar(err, "replaying", around.nanos());
    List<FutureTask<Outcome>> tasks = new ArrayList<>();
    for (int i = 0; i < ways.size(); i++) {
      Way way = ways.get(i);
      Progress hears = around.bar() && i == 0 ? bar : Progress.SILENT;
      Replay fork = source.replay().fork(way.turn(), hears);
      tasks.add(new FutureTask<>(() -> outcome(source, way, fork)));
    }
    try (ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      tasks.forEach(workers::execute);
      List<Outcome> outcomes = new ArrayList<>();
      for (FutureTask<Outcome> task : tasks) {
        outcomes.add(task.get());
      }
      return outcomes;
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("a replay broke off", e);
    } finally {
      bar.clear();
    }
  }

  private static Outcome outcome(Source source, Way way, Replay replay) {
    Replay.Turn turn = way.turn();
    replay.runTo(source.window().to());
    int first = source.replay().arrived();
    Schedule schedule = replay.schedule();
    List<JobResult> results = schedule.results();
    List<Fate> fates = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      if (i < first || i >= first + turn.submitted().size()) {
        fates.add(Fate.of(results.get(i)));
      }
    }
    List<Fate> submitted = submitted(replay, first, turn, source.window().to());
    Machine machine = turn.machine();
    Outcome.Size size =
        new Outcome.Size(machine.cpus(), machine.gpus(), machine.openCpus(), machine.openGpus());
    return new Outcome(
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
  private static List<Fate> submitted(Replay replay, int first, Replay.Turn turn, Instant end) {
    List<Fate> fates = new ArrayList<>();
    int last = first + turn.submitted().size();
    Instant patience = turn.at().plus(PATIENCE);
    Instant until = end;
    while (until.isBefore(patience) && !allSettled(replay, first, last)) {
      until = until.plus(Duration.ofHours(6));
      replay.runTo(until);
    }
    List<JobResult> results = replay.schedule().results();
    for (int i = first; i < last; i++) {
      fates.add(Fate.of(results.get(i)));
    }
    return fates;
  }

  private static boolean allSettled(Replay replay, int first, int last) {
    for (int i = first; i < last; i++) {
      if (!replay.isSettled(i)) {
        return false;
      }
    }
    return true;
  }

  private static Comparison comparison(
      Source source, List<Outcome> outcomes, RunTimes times, ZoneId zone) {
    long begin = source.window().from().getEpochSecond();
    List<Integer> places = new ArrayList<>();
    int running = 0;
    int waiting = 0;
    List<Fate> base = outcomes.getFirst().fates();
    for (int place = 0; place < base.size(); place++) {
      Fate fate = base.get(place);
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
    Comparison.Heading heading =
        new Comparison.Heading(source.name(), source.moment(), told(times));
    return new Comparison(heading, zone, outcomes, places, running, waiting, source.left());
  }

  private static String told(RunTimes times) {
    return switch (times) {
      case AS_THEY_ARE -> "jobs run as long as they did";
      case KNOWN -> "jobs run as long as they did where that is known, else as is expected of them";
      case PREDICTED -> "jobs run as long as is expected of them";
      case LIMIT -> "jobs run to their limits";
    };
  }
}
