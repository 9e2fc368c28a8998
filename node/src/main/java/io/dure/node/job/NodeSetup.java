package io.dure.node.job;

import io.dure.core.config.NodeConfig;
import io.dure.core.config.Settings;
import io.dure.core.node.RunPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * The configuration as it concerns this node.
 *
 * @param confPath the configuration file
 * @param node the node's own description
 * @param settings the cluster's settings
 */
public record NodeSetup(String confPath, NodeConfig node, Settings settings) {

  /** The node's name in the cluster. */
  public String nodeName() {
    return node.name();
  }

  /** The directory of the daemon's state. */
  public Path spool() {
    return Path.of(node.fill(settings.daemon().spoolDir())).toAbsolutePath();
  }

  /**
   * The name of this node's control groups: two clusters on one machine may have nodes and jobs of
   * the same name, but never the same spool.
   */
  public String groupName() {
    CRC32 sum = new CRC32();
    sum.update(spool().toString().getBytes(StandardCharsets.UTF_8));
    return nodeName() + "-" + Long.toHexString(sum.getValue());
  }

  /** What it says about runs. */
  public RunPolicy policy() {
    return new RunPolicy(
        !settings.scripts().prolog().isEmpty(),
        !settings.scripts().epilog().isEmpty(),
        settings.daemon().unkillableStepTimeout());
  }
}
