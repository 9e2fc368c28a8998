package io.dure.controller;

import io.dure.host.config.LocatedConfig;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.user.CachedUserDatabase;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.protocol.DureVersion;
import java.io.IOException;
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
    };
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
    CachedUserDatabase users =
        CachedUserDatabase.ofThisMachine(config.parsed().config().settings().rules().groupUpdate());
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
