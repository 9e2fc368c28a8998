package io.dure.cli.step;

import io.dure.cli.command.CallerProcess;
import io.dure.host.process.ProcFs;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How the calling process reaches the daemon of a node. */
public final class NodePlace {
  private NodePlace() {}

  /**
   * The path of its socket; for one on another machine its port, host and name, and the gateway of
   * this machine.
   *
   * @throws IOException if it is on another machine, and this one has no gateway
   */
  public static String of(Response.StepNode node, CallerProcess caller) throws IOException {
    Path gateway = caller.stepGateway();
    if (isReached(node, gateway)) {
      return node.socket();
    }
    if (gateway == null) {
      throw new IOException(
          "node " + node.name() + " is on another machine, and no dure-agent runs on this one");
    }
    return node.port() + "/" + node.address() + "/" + node.name() + gateway;
  }

  /** Whether a node is on this machine. */
  public static boolean isHere(Response.StepNode node) throws IOException {
    return node.bootId().equals(ProcFs.ofThisMachine().bootId());
  }

  /** In a container the kernel is the same, and the node's files are not there. */
  private static boolean isReached(Response.StepNode node, @Nullable Path gateway)
      throws IOException {
    Path spool = Path.of(node.socket()).getParent();
    return isHere(node) && (gateway == null || spool == null || Files.exists(spool));
  }
}
