package io.dure.bench.emulatednodes;

import io.dure.host.config.LocalConfigSource;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CurrentProcess;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.node.link.ControllerLink;
import io.dure.node.link.TlsControllerEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.helpers.NOPLogger;

/**
 * {@code slurm.conf}: all of its nodes, in this process, for a controller that runs. Prints a line
 * once all are registered, and stays until it is ended.
 */
public final class EmulatedNodesMain {
  private static final int BEAT_MILLIS = 5000;

  private EmulatedNodesMain() {}

  /** The program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path conf = Path.of(args[0]).toAbsolutePath();
    ParsedConfig parsed = SlurmConfParser.parse(conf.toString(), new LocalConfigSource());
    ClusterSettings settings = parsed.config().settings();
    ClusterKey key =
        ClusterKey.load(conf.resolveSibling("dure.key"), CurrentProcess.effectiveUid());
    InstantSource clock = InstantSource.system();
    List<EmulatedNode> nodes = new ArrayList<>();
    for (var config : parsed.config().nodes()) {
      EmulatedNode node = new EmulatedNode(config, clock.instant());
      nodes.add(node);
      new ControllerLink(
              new TlsControllerEndpoint(() -> settings, key, config.name(), clock),
              node,
              NOPLogger.NOP_LOGGER)
          .start();
    }
    boolean said = false;
    while (true) {
      if (!said && nodes.stream().allMatch(EmulatedNode::isWelcome)) {
        System.out.println(nodes.size() + " nodes are registered");
        said = true;
      }
      Thread.sleep(said ? BEAT_MILLIS : 100);
      if (said) {
        nodes.forEach(EmulatedNode::beat);
      }
    }
  }
}
