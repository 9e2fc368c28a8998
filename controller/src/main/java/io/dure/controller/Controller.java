package io.dure.controller;

import io.dure.controller.journal.JournalListener;
import io.dure.controller.loop.Insistence;
import io.dure.controller.loop.JournalStore;
import io.dure.controller.loop.Latest;
import io.dure.controller.loop.StateLoop;
import io.dure.controller.loop.Ticker;
import io.dure.controller.node.NodeLinks;
import io.dure.controller.node.NodeSession;
import io.dure.controller.script.JobScripts;
import io.dure.controller.server.Administration;
import io.dure.controller.server.Callers;
import io.dure.controller.server.CommandSession;
import io.dure.controller.server.JobNews;
import io.dure.controller.server.Listener;
import io.dure.controller.server.RateLimit;
import io.dure.controller.server.RequestHandler;
import io.dure.controller.server.Waiters;
import io.dure.controller.view.Verdicts;
import io.dure.core.config.ClusterConfig;
import io.dure.core.config.ConfigDump;
import io.dure.core.config.ConfigReport;
import io.dure.core.config.Settings;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.decide.DependencyRules;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.Scheduler;
import io.dure.host.config.LocatedConfig;
import io.dure.host.log.Log;
import io.dure.host.net.Room;
import io.dure.host.process.ProcFs;
import io.dure.host.signal.DaemonSignal;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.Users;
import io.dure.protocol.ToNode;
import io.dure.protocol.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The running controller: its parts and how they hear of each other. */
final class Controller implements AutoCloseable {
  private static final Insistence.Pauses RETRY =
      new Insistence.Pauses(Duration.ofSeconds(1), Duration.ofMinutes(1));
  private static final double REQUESTS_A_SECOND = 20_000;
  private static final double REQUESTS_AT_ONCE = 100_000;

  private final @Nullable String configOption;
  private final Map<String, String> environment;
  private final Users users;
  private final int slurmUid;
  private final Log log;
  private final InstantSource clock;
  private final Instant bootTime;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final NodeLinks nodes = new NodeLinks();
  private final Waiters waiters = new Waiters();
  private final JournalStore store;
  private final StateLoop loop;
  private final JobScripts scripts;
  private final Ticker ticker;
  private final Listener listener;
  private final Latest<Verdicts> verdicts = new Latest<>(Verdicts.NONE);
  private final Latest<ClusterState> last;
  private final JobNews news;

  /** What a controller is made from. */
  record Setup(
      LocatedConfig config,
      Options options,
      Map<String, String> environment,
      Users users,
      Foundation foundation) {}

  /** Opens the state, and lets nothing happen yet. */
  Controller(Setup setup) throws IOException {
    configOption = setup.options().configFile();
    environment = setup.environment();
    users = setup.users();
    slurmUid = setup.foundation().slurmUid();
    log = setup.foundation().log();
    clock = InstantSource.system();
    bootTime = clock.instant();
    ClusterConfig config = setup.config().parsed().config();
    Settings.Controller own = config.settings().controller();
    JournalStore.Opened opened =
        JournalStore.open(
            JournalStore.Place.of(Path.of(own.stateSaveLocation())),
            config,
            new DiskWatch(),
            clock,
            log);
    store = opened.store();
    last = new Latest<>(opened.state());
    news = new JobNews(opened.state(), bootTime);
    loop = new StateLoop(opened.state(), store, clock, new Consequences(), log);
    Insistence insistence =
        new Insistence(news -> loop.submit(news, new Caller.Self()), ended, RETRY, log);
    scripts = JobScripts.open(Path.of(own.stateSaveLocation()), insistence::tell, log);
    ticker = new Ticker(loop, this::plan, clock, log);
    Callers callers = new Callers(users, slurmUid);
    RequestHandler handler =
        new RequestHandler(
            new RequestHandler.Sources(
                loop, verdicts::get, nodes, callers, waiters, news, new Operations(), clock));
    ClusterTrust trust = setup.foundation().trust();
    listener =
        new Listener(
            setup.foundation().sockets(),
            new Listener.Services(
                trust.ca().serverContext(),
                new CommandSession.Wiring(
                    handler,
                    callers,
                    new RateLimit(REQUESTS_A_SECOND, REQUESTS_AT_ONCE),
                    new Room(Runtime.getRuntime().maxMemory() / 8),
                    trust.key(),
                    clock),
                new NodeSession.Wiring(loop, nodes, trust.key(), clock, log),
                log));
  }

  /** Puts the configuration into force and begins to serve. */
  void start(ClusterConfig config, Options options)
      throws InterruptedException, ExecutionException {
    loop.start();
    Command.Recovery recovery =
        options.recovery() == Options.Kept.ALL
            ? Command.Recovery.START_KEEPING_PARTITIONS
            : Command.Recovery.START;
    loop.submit(new Command.Configure(config, recovery), new Caller.Self()).get();
    ticker.start();
    listener.start();
    if (environment.containsKey("DURE_READY")) {
      System.out.println("ready");
    }
    log.info(
        "slurmctld of cluster "
            + config.settings().controller().clusterName()
            + " serves port "
            + config.settings().controller().port()
            + ", "
            + loop.published().jobCount()
            + " jobs recovered");
  }

  /** Waits until somebody asks the controller to end. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Asks the controller to end. Any thread. */
  void end() {
    ended.countDown();
  }

  private List<Placement> plan(ClusterState state, Instant now) {
    Plan plan =
        Scheduler.schedule(
            state,
            now,
            Integer.MAX_VALUE,
            (job, index) -> DependencyRules.taskMayStart(state, job, index));
    Verdicts found = new Verdicts(plan.verdicts(), now);
    verdicts.set(found);
    news.judged(found);
    return plan.starts();
  }

  /** Does what a signal asks for. Any thread. */
  void heed(DaemonSignal signal) {
    try {
      switch (signal) {
        case STOP -> end();
        case RECONFIGURE -> {
          log.reopen();
          reconfigure();
        }
        case REOPEN_LOG -> log.reopen();
      }
    } catch (IOException e) {
      log.error("cannot open the log again: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads the file again; on errors the configuration in force stays. */
  List<String> reconfigure() throws InterruptedException {
    try {
      LocatedConfig config = LocatedConfig.load(configOption, environment);
      if (config.parsed().hasErrors()) {
        List<String> lines = ConfigReport.lines(config.parsed());
        lines.forEach(log::error);
        return lines;
      }
      loop.submit(
              new Command.Configure(config.parsed().config(), Command.Recovery.RECONFIGURE),
              new Caller.Self())
          .get();
      users.forget();
      nodes.tellAll(new ToNode.Reconfigure());
      log.info("configuration read again");
      return List.of();
    } catch (IOException | ExecutionException e) {
      log.error("reconfigure failed: " + e.getMessage());
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    ticker.close();
    loop.close();
    nodes.close();
    store.close();
  }

  /** What happens once a decision is durable. */
  private final class Consequences implements StateLoop.Consequences {
    @Override
    public void published(ClusterState state) {
      if (last.set(state)) {
        waiters.published(state);
        news.published(state);
        ticker.wake();
      }
    }

    @Override
    public void perform(Effect effect, ClusterState state) {
      switch (effect) {
        case Effect.RunProlog prolog -> scripts.prolog(prolog, state);
        case Effect.RunEpilog epilog -> scripts.epilog(epilog, state);
        case Effect.OnNode there -> {
          if (there instanceof Effect.Terminate(_, int jobId, int run, _)) {
            scripts.endProlog(jobId, run);
          }
          nodes.perform(there, state);
        }
      }
    }

    @Override
    public void stopped(Throwable cause) {
      end();
    }
  }

  /** A disk that refuses stops acknowledgements; it is said once for each spell. */
  private final class DiskWatch implements JournalListener {
    @Override
    public void failed(IOException cause) {
      log.error(
          "StateSaveLocation takes no writes ("
              + cause.getMessage()
              + "): nothing is acknowledged until it does; running jobs go on");
    }

    @Override
    public void healed() {
      log.info("StateSaveLocation takes writes again");
    }

    @Override
    public void stopped(Throwable cause) {
      log.error("bug in the journal: the controller ends", cause);
      end();
    }
  }

  /** What operators may ask. */
  private final class Operations implements Administration {
    @Override
    public List<String> reconfigure() throws InterruptedException {
      return Controller.this.reconfigure();
    }

    @Override
    public void shutdown(boolean nodesToo) {
      if (nodesToo) {
        nodes.tellAll(new ToNode.Shutdown());
      }
      end();
    }

    @Override
    public List<String> configuration() {
      ClusterState state = loop.published();
      return ConfigDump.lines(
          state.config(),
          new ConfigDump.RuntimeFacts(
              clock.instant(),
              bootTime,
              ZoneId.systemDefault(),
              state.nextJobId(),
              Version.SLURM,
              slurmUid,
              0));
    }

    @Override
    public String hostName() {
      try {
        return ProcFs.ofThisMachine().shortHostName();
      } catch (IOException e) {
        return "localhost";
      }
    }
  }
}
