package io.dure.controller;

import io.dure.cluster.ClusterState;
import io.dure.controller.accounting.ClusterAccounting;
import io.dure.controller.accounting.RecordExchange;
import io.dure.controller.hook.JobSubmitHook;
import io.dure.controller.replica.RaftGroupMember;
import io.dure.controller.replica.link.PeerLinks;
import io.dure.controller.replica.link.PeerSession;
import io.dure.controller.replica.raft.ControllerGroupSettings;
import io.dure.controller.server.CommandSession;
import io.dure.controller.server.Listener;
import io.dure.controller.server.RequestQuotas;
import io.dure.controller.server.StandbyHandler;
import io.dure.controller.server.UserTokens;
import io.dure.controller.service.CallerDirectory;
import io.dure.controller.service.ControllerAdmin;
import io.dure.host.config.ConfigTexts;
import io.dure.host.config.LocatedConfig;
import io.dure.host.log.DaemonLog;
import io.dure.host.net.ConnectLimits;
import io.dure.host.process.ProcFs;
import io.dure.host.process.ReadinessNotice;
import io.dure.host.quota.RequestRateLimiter;
import io.dure.host.signal.DaemonSignal;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.CachedUserDatabase;
import io.dure.model.command.Command;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.SiteRules;
import io.dure.model.config.slurmconf.ConfigDump;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.DureVersion;
import io.dure.protocol.Response;
import io.dure.rest.RestServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The running controller: its state on disk, its addresses, and its leadership. */
final class ControllerDaemon implements AutoCloseable {
  private static final double REQUESTS_A_SECOND = 20_000;
  private static final Duration FAREWELL = Duration.ofSeconds(2);
  private static final double REQUESTS_AT_ONCE = 100_000;

  private final @Nullable String configOption;
  private final Map<String, String> environment;
  private final CachedUserDatabase users;
  private final int slurmUid;

  /** The configuration that this process was started with. */
  private final ClusterConfig started;

  private final DaemonLog log;
  private final InstantSource clock = InstantSource.system();
  private final Instant bootTime = clock.instant();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final @Nullable ClusterAccounting accounting;
  private final JobSubmitHook hook;
  private final ControllerRole epoch;
  private final SubmissionRehearsal rehearsal;
  private final Listener listener;
  private final CommandSession.CommandServices commands;
  private @Nullable RestServer rest;
  private final ConfigTexts files;
  private final UserTokens tokens;

  /** What a controller is made from. */
  record Setup(
      LocatedConfig config,
      SlurmctldOptions options,
      Map<String, String> environment,
      CachedUserDatabase users,
      ControllerResources foundation) {}

  /** Opens the state, and lets nothing happen yet. */
  ControllerDaemon(Setup setup) throws IOException {
    configOption = setup.options().configFile();
    environment = setup.environment();
    users = setup.users();
    slurmUid = setup.foundation().slurmUid();
    log = setup.foundation().log();
    ClusterConfig config = setup.config().parsed().config();
    files = new ConfigTexts(setup.config());
    started = config;
    ConfigReport.remarks(setup.config().parsed()).forEach(log::info);
    ClusterTrust trust = setup.foundation().trust();
    PeerLinks links = links(config, setup.foundation());
    accounting = accounting(config, setup.foundation().host().name(), links);
    CallerDirectory callers = new CallerDirectory(users, slurmUid, thisHost());
    tokens = tokens(callers, config.settings().rules());
    Operations operations = new Operations();
    hook = new JobSubmitHook(setup.config().file(), log);
    LeaderServices.Ground ground =
        new LeaderServices.Ground(
            Path.of(config.settings().controller().stateSaveLocation()),
            callers,
            operations,
            trust.key(),
            clock,
            bootTime,
            log,
            ClusterAccounting.follower(accounting),
            accounting,
            _ -> end(),
            hook);
    rehearsal = new SubmissionRehearsal(config, callers, clock, log);
    PeerSession.Wiring peers = null;
    if (config.settings().controller().hosts().size() == 1) {
      epoch = new StandaloneRole(ground, config, new DiskWatch(log, this::end));
    } else {
      ReplicatedRole shared = shared(ground, config, setup.foundation().host(), links);
      epoch = shared;
      peers = new PeerSession.Wiring(shared.member(), this::records, trust.key(), clock, log);
    }
    commands = commands(setup, operations, callers);
    listener =
        new Listener(
            setup.foundation().sockets(),
            new Listener.Services(
                trust.ca().serverContext(),
                commands,
                () -> leading(LeaderServices::sessions),
                Math.max(config.nodes().size(), config.settings().rules().maxNodes()),
                peers,
                log));
  }

  private CommandSession.CommandServices commands(
      Setup setup, Operations operations, CallerDirectory callers) {
    return new CommandSession.CommandServices(
        () -> leading(LeaderServices::handler),
        new StandbyHandler(operations),
        callers,
        limiter(started.settings().rules().requestRate()),
        RequestQuotas.of(Runtime.getRuntime().maxMemory() / 8),
        setup.foundation().trust().key(),
        tokens,
        clock,
        this::end,
        () -> CoreFile.leave(started.settings().controller(), setup.options()));
  }

  private static RequestRateLimiter limiter(SiteRules.@Nullable RequestRate rate) {
    return rate == null
        ? new RequestRateLimiter(REQUESTS_A_SECOND, REQUESTS_AT_ONCE)
        : new RequestRateLimiter(rate.perSecond(), rate.atOnce());
  }

  private UserTokens tokens(CallerDirectory callers, SiteRules rules) throws IOException {
    UserTokens all = new UserTokens(callers, slurmUid, clock, log);
    all.use(all.read(rules.tokens()));
    return all;
  }

  private PeerLinks links(ClusterConfig config, ControllerResources foundation) {
    ClusterSettings.Controller settings = config.settings().controller();
    return new PeerLinks(
        new PeerLinks.Setup(
            foundation.host().name(),
            name -> address(settings, name),
            foundation.trust().key(),
            clock,
            log,
            ConnectLimits.of(config.settings().rules())));
  }

  private @Nullable ClusterAccounting accounting(ClusterConfig config, String own, PeerLinks links)
      throws IOException {
    List<String> others =
        config.settings().controller().hosts().stream()
            .map(ClusterSettings.Host::name)
            .filter(name -> !name.equals(own))
            .toList();
    return ClusterAccounting.of(
        config,
        new ClusterAccounting.Surroundings(clock, new DiskWatch(log, this::end), log),
        new ClusterAccounting.Group(this::leads, links, others),
        bug -> {
          log.error("accounting: records cannot be made any more, this controller ends", bug);
          end();
        });
  }

  /** Whether a message of another controller is of accounting records. */
  private boolean records(String from, byte[] message) {
    return RecordExchange.isOfRecords(message)
        && (accounting == null || accounting.exchange().receive(from, message));
  }

  private ReplicatedRole shared(
      LeaderServices.Ground ground, ClusterConfig config, ClusterSettings.Host own, PeerLinks links)
      throws IOException {
    ClusterSettings.Controller settings = config.settings().controller();
    return new ReplicatedRole(
        ground,
        config,
        this::readAgain,
        replica ->
            RaftGroupMember.open(
                new RaftGroupMember.MemberServices(
                    ground.stateDirectory(), new DiskWatch(log, this::end), links, log),
                ControllerGroupSettings.of(
                    own.name(), settings.hosts().stream().map(ClusterSettings.Host::name).toList()),
                replica),
        _ -> end());
  }

  private @Nullable ClusterConfig readAgain() {
    try {
      LocatedConfig found = LocatedConfig.load(configOption, environment);
      if (found.parsed().hasErrors()) {
        return null;
      }
      ClusterConfig next = RestartSettings.keep(started, found.parsed().config()).config();
      tokens.use(tokens.read(next.settings().rules().tokens()));
      return next;
    } catch (IOException e) {
      log.error("the configuration was not read again: " + e.getMessage());
      return null;
    }
  }

  private static @Nullable InetSocketAddress address(
      ClusterSettings.Controller settings, String name) {
    for (ClusterSettings.Host host : settings.hosts()) {
      if (host.name().equals(name)) {
        return new InetSocketAddress(host.address(), settings.port());
      }
    }
    return null;
  }

  /** Puts the configuration into force and begins to serve. */
  void start(ClusterConfig config, SlurmctldOptions options)
      throws IOException, InterruptedException, ExecutionException {
    epoch.start(
        config,
        options.recovery() == SlurmctldOptions.Kept.ALL
            ? Command.Recovery.START_KEEPING_PARTITIONS
            : Command.Recovery.START);
    listener.start();
    rest = HttpListener.start(config.settings().rules().http(), commands, log);
    rehearsal.begin();
    if (environment.containsKey("DURE_READY")) {
      System.out.println("ready");
    }
    if (options.systemd()) {
      ReadinessNotice.send(environment, log);
    }
    log.info(
        "slurmctld started: cluster "
            + config.settings().controller().clusterName()
            + ", port "
            + config.settings().controller().port()
            + inWhichState());
  }

  private String inWhichState() {
    LeaderServices now = epoch.leadership();
    return now == null
        ? ", in standby"
        : ", " + now.loop().published().jobCount() + " jobs recovered";
  }

  private void tellNodes(ControllerToNodeMessage message) {
    LeaderServices now = epoch.leadership();
    if (now != null) {
      now.nodes().tellAll(message);
    }
  }

  private <T> @Nullable T leading(Function<LeaderServices, T> part) {
    LeaderServices now = epoch.leadership();
    return now == null ? null : part.apply(now);
  }

  /** Whether this controller leads; other threads may ask before it has a role. */
  @SuppressWarnings("NullAway") // asked while it is made, too
  private boolean leads() {
    return epoch != null && epoch.leadership() != null;
  }

  /** Waits until the controller is asked to end. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Asks the controller to end. Any thread. */
  void end() {
    ended.countDown();
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
      log.error("cannot reopen the log file, still writing to the old one: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads the file again; on errors the configuration in force stays. */
  ControllerAdmin.Reconfiguration reconfigure() throws InterruptedException {
    try {
      LocatedConfig config = LocatedConfig.load(configOption, environment);
      String other = RestartSettings.refusal(started, config.parsed().config());
      if (config.parsed().hasErrors() || other != null) {
        List<String> lines = other == null ? ConfigReport.lines(config.parsed()) : List.of(other);
        lines.forEach(log::error);
        return new ControllerAdmin.Reconfiguration(false, lines);
      }
      RestartSettings.Kept kept = RestartSettings.keep(started, config.parsed().config());
      UserTokens.Keys keys = tokens.read(kept.config().settings().rules().tokens());
      files.set(config);
      epoch.configure(kept.config());
      tokens.use(keys);
      users.forget();
      log.configure(kept.config().settings());
      tellNodes(new ControllerToNodeMessage.Reconfigure());
      List<String> remarks = new ArrayList<>(kept.lines());
      remarks.addAll(ConfigReport.remarks(config.parsed()));
      remarks.forEach(log::info);
      log.info("configuration reloaded");
      return new ControllerAdmin.Reconfiguration(true, List.copyOf(remarks));
    } catch (IOException | ExecutionException e) {
      log.error("reconfigure failed, still using the active configuration: " + e.getMessage());
      return new ControllerAdmin.Reconfiguration(false, List.of(String.valueOf(e.getMessage())));
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    if (rest != null) {
      rest.close();
    }
    epoch.close();
    hook.close();
    if (accounting != null) {
      accounting.close();
    }
  }

  /** What operators may ask. */
  private final class Operations implements ControllerAdmin {
    private final LogControl logControl = new LogControl(log);

    @Override
    public Reconfiguration reconfigure() throws InterruptedException {
      return ControllerDaemon.this.reconfigure();
    }

    @Override
    public void shutdown(boolean nodesToo) {
      LeaderServices now = epoch.leadership();
      if (nodesToo && now != null) {
        try {
          now.nodes().tellLast(new ControllerToNodeMessage.Shutdown(), FAREWELL);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public List<Response.ConfigFile> configFiles() {
      List<Response.ConfigFile> all = new ArrayList<>();
      files.get().forEach((name, text) -> all.add(new Response.ConfigFile(name, text)));
      return List.copyOf(all);
    }

    @Override
    public List<String> configuration() {
      LeaderServices now = epoch.leadership();
      if (now == null) {
        return List.of();
      }
      ClusterState state = now.loop().published();
      return ConfigDump.lines(
          logControl.asSet(state.config()),
          new ConfigDump.RuntimeFacts(
              clock.instant(),
              bootTime,
              ZoneId.systemDefault(),
              state.nextJobId(),
              DureVersion.SLURM,
              slurmUid,
              0));
    }

    @Override
    public boolean setLogLevel(String level) {
      return logControl.setLevel(level);
    }

    @Override
    public @Nullable String setDebugFlags(List<String> changes) {
      return logControl.setFlags(changes);
    }

    @Override
    public @Nullable String token(String user, int seconds) {
      return tokens.issue(user, seconds);
    }

    @Override
    public Response.Replicas replicas() {
      return epoch.replicas();
    }

    @Override
    public @Nullable String takeOver(int index) throws InterruptedException {
      List<Response.Replica> all = epoch.replicas().replicas();
      for (int i = 0; i < all.size(); i++) {
        boolean leads = all.get(i).role().equals("LEADER");
        if (i == index || (index < 0 && !leads && all.get(i).voting())) {
          return leads ? null : epoch.handOver(all.get(i).host());
        }
      }
      return index < 0
          ? "there is one controller"
          : "there is no SlurmctldHost[" + index + "]: give a number from 0 to " + (all.size() - 1);
    }

    @Override
    public String hostName() {
      return thisHost();
    }
  }

  private static String thisHost() {
    try {
      return ProcFs.ofThisMachine().shortHostName();
    } catch (IOException e) {
      return "localhost";
    }
  }
}
