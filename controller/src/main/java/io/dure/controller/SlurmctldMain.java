package io.dure.controller;

import io.dure.host.config.LocatedConfig;
import io.dure.host.process.DaemonProcess;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.user.CachedUserDatabase;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.protocol.DureVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;

/** The program {@code slurmctld}. */
public final class SlurmctldMain {
  private SlurmctldMain() {}

  /** Runs until it is told to end; exit code 1 if it could not start. */
  public static void main(String[] words) {
    int code;
    try {
      code = run(SlurmctldOptions.parse(words));
    } catch (SlurmctldOptions.UsageException e) {
      System.err.println("slurmctld: " + e.getMessage());
      System.err.print(SlurmctldOptions.USAGE);
      code = 1;
    } catch (IOException | ExecutionException e) {
      System.err.println("slurmctld: fatal: " + e.getMessage());
      code = 1;
    } catch (InterruptedException e) {
      code = 0;
    }
    System.exit(code);
  }

  private static int run(SlurmctldOptions options)
      throws IOException, InterruptedException, ExecutionException {
    return switch (options.action()) {
      case VERSION -> print(DureVersion.LINE + "\n");
      case HELP -> print(SlurmctldOptions.USAGE);
      case RUN -> serve(options);
      case SHOW_SINGLE, MAKE_SINGLE, MAKE_SINGLE_ANYWAY -> single(options);
    };
  }

  /** Exit code 1 if nothing was changed though it was asked for. */
  private static int single(SlurmctldOptions options) throws IOException, InterruptedException {
    LocatedConfig config = LocatedConfig.load(options.configFile(), System.getenv());
    if (config.parsed().hasErrors()) {
      ConfigReport.lines(config.parsed()).forEach(System.err::println);
      return 1;
    }
    ClusterSettings.Controller own = config.parsed().config().settings().controller();
    ControllerResources.become(CachedUserDatabase.ofThisMachine(), own.user());
    Path state = Path.of(own.stateSaveLocation());
    try (GroupDissolution group = GroupDissolution.look(state, config.parsed().config())) {
      System.out.print(group.summary());
      if (options.action() == SlurmctldOptions.Action.SHOW_SINGLE) {
        return print(
            "Of several controllers take the one with the highest term, and of these the highest"
                + " entry.\nNothing was changed; slurmctld --single=yes does it.\n");
      }
      String doubt = group.doubt();
      if (doubt != null && options.action() == SlurmctldOptions.Action.MAKE_SINGLE) {
        System.err.println(
            "slurmctld: " + doubt + ". If no other is left: slurmctld --single=anyway");
        return 1;
      }
      String running = group.running();
      if (running != null) {
        System.err.println(
            "slurmctld: the controller on "
                + running
                + " answers: stop all controllers first. Two would give the same nodes away");
        return 1;
      }
    }
    try (GroupDissolution group = GroupDissolution.open(state, config.parsed().config())) {
      group.dissolve();
    }
    return print(
        "It is the state of a single controller now. Leave this machine's SlurmctldHost line alone"
            + " in slurm.conf on all machines, move StateSaveLocation of the other controllers"
            + " away (but for tls/), and start slurmctld here.\n");
  }

  private static int print(String text) {
    System.out.print(text);
    return 0;
  }

  private static int serve(SlurmctldOptions options)
      throws IOException, InterruptedException, ExecutionException {
    LocatedConfig config = LocatedConfig.load(options.configFile(), System.getenv());
    if (config.parsed().hasErrors()) {
      ConfigReport.lines(config.parsed()).forEach(System.err::println);
      return 1;
    }
    Integer nice = options.nice();
    if (nice != null) {
      // SlurmUser, which it becomes, may not raise its own priority.
      try {
        DaemonProcess.setNice(nice);
      } catch (IOException e) {
        System.err.println(
            "slurmctld: error: it goes on without -n " + nice + ": " + e.getMessage());
      }
    }
    CachedUserDatabase users =
        CachedUserDatabase.ofThisMachine(config.parsed().config().settings().rules());
    try (ControllerResources foundation = ControllerResources.lay(config, options, users);
        ControllerDaemon controller =
            new ControllerDaemon(
                new ControllerDaemon.Setup(config, options, System.getenv(), users, foundation))) {
      DaemonSignals.listen(controller::heed);
      controller.start(config.parsed().config(), options);
      controller.awaitEnd();
      foundation.log().info("slurmctld stopped");
    }
    return 0;
  }
}
