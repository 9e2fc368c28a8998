package io.dure.e2e.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A network of its own for a test: each machine is a network namespace with an address, all are on
 * one bridge, to which the test's own machine belongs as well. What one machine sends to another
 * can be lost, in each direction for itself, without anybody being told.
 */
public final class Network implements AutoCloseable {
  private static final String NOBODY = "02:00:00:00:00:ff";

  private final String prefix;
  private final String subnet;
  private final Map<String, Integer> machines = new LinkedHashMap<>();

  private Network(int number) {
    prefix = "dure" + number;
    subnet = "10.213." + Math.floorMod(number, 250) + ".";
  }

  /** Why there can be none here, null if there can. */
  public static @Nullable String lacking() {
    String name = "dure-try-" + ProcessHandle.current().pid();
    try {
      run("ip", "netns", "add", name);
      try {
        run("ip", "-n", name, "link", "add", "name", "try0", "type", "bridge");
        run(
            "ip", "-n", name, "link", "add", "name", "try1", "type", "veth", "peer", "name",
            "try2");
        run("nsenter", "--net=/run/netns/" + name, "true");
      } finally {
        run("ip", "netns", "del", name);
      }
      return null;
    } catch (IOException e) {
      return "network namespaces cannot be made here: " + e.getMessage();
    }
  }

  /**
   * Makes it.
   *
   * @param number one that no other network of this machine has, such as a port
   */
  public static Network of(int number, List<String> machines) {
    Network network = new Network(number);
    try {
      network.make(machines);
      return network;
    } catch (IOException e) {
      network.close();
      throw new AssertionError("cannot make a network", e);
    }
  }

  private void make(List<String> names) throws IOException {
    String bridge = prefix + "b";
    run("ip", "link", "add", "name", bridge, "type", "bridge");
    run("ip", "addr", "add", subnet + "254/24", "dev", bridge);
    run("ip", "link", "set", bridge, "up");
    for (String name : names) {
      int index = machines.size() + 1;
      machines.put(name, index);
      String space = space(name);
      String outside = prefix + "v" + index;
      run("ip", "netns", "add", space);
      run(
          "ip", "link", "add", "name", outside, "type", "veth", "peer", "name", "eth0", "netns",
          space);
      run("ip", "link", "set", outside, "master", bridge, "up");
      run("ip", "-n", space, "addr", "add", address(name) + "/24", "dev", "eth0");
      run("ip", "-n", space, "link", "set", "lo", "up");
      run("ip", "-n", space, "link", "set", "eth0", "up");
    }
  }

  private String space(String name) {
    return prefix + "-" + name;
  }

  /** A machine's address. */
  public String address(String name) {
    Integer index = machines.get(name);
    if (index == null) {
      throw new IllegalArgumentException("no machine " + name);
    }
    return subnet + index;
  }

  /** What to put before a program's words, so that it runs on that machine. */
  public List<String> inside(String name) {
    return List.of("nsenter", "--net=/run/netns/" + space(name));
  }

  /** From now on nothing that the one sends reaches the other: frames go to a card nobody has. */
  public void lose(String from, String to) {
    must("ip", "-n", space(from), "neigh", "replace", address(to), "lladdr", NOBODY, "dev", "eth0");
  }

  /** The same in both directions. */
  public void cut(String one, String other) {
    lose(one, other);
    lose(other, one);
  }

  /** Everything arrives again. */
  public void heal() {
    for (String from : machines.keySet()) {
      for (String to : machines.keySet()) {
        if (!from.equals(to)) {
          forget(from, to);
        }
      }
    }
  }

  private void forget(String from, String to) {
    try {
      run("ip", "-n", space(from), "neigh", "del", address(to), "dev", "eth0");
    } catch (IOException e) {
      // they have never spoken
    }
  }

  @Override
  public void close() {
    machines.forEach((name, index) -> {
      // The kernel takes its time to end a namespace, and what is in it.
      quietly("ip", "link", "del", prefix + "v" + index);
      quietly("ip", "netns", "del", space(name));
    });
    quietly("ip", "link", "del", prefix + "b");
  }

  private static void quietly(String... words) {
    try {
      run(words);
    } catch (IOException e) {
      System.err.println("left behind: " + e.getMessage());
    }
  }

  private static void must(String... words) {
    try {
      run(words);
    } catch (IOException e) {
      throw new AssertionError("the network is not as it should be", e);
    }
  }

  private static void run(String... words) throws IOException {
    List<String> line = new ArrayList<>(List.of(words));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", line) + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + String.join(" ", line), e);
    }
  }
}
