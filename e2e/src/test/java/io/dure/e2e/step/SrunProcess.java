package io.dure.e2e.step;

import io.dure.testkit.Await;
import io.dure.testkit.step.SpawnerProcess;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The client under the name srun, told by an agent of this test to run one step on one node. Its
 * output and errors are collected in files.
 */
final class SrunProcess implements AutoCloseable {
  /** Code and flags with which it told its agent that the step has ended; none if it could not. */
  final CompletableFuture<StepFrame> result = new CompletableFuture<>();

  private final Path home;
  private final Process process;

  /** A step of so many tasks; entries of the order and of the launch file come on top. */
  record Step(int tasks, List<String> program, List<String> order, List<String> launch) {
    static Step of(int tasks, String script, String... order) {
      return new Step(tasks, List.of("/bin/bash", "-c", script), List.of(order), List.of());
    }

    Step withLaunch(String... entries) {
      return new Step(tasks, program, order, List.of(entries));
    }

    private StepFrame launchFrame() throws IOException {
      List<String> entries = new ArrayList<>(List.of("tasks=" + tasks, "node=0", "killwait=1"));
      for (int rank = 0; rank < tasks; rank++) {
        entries.add("rank=" + rank);
      }
      entries.addAll(List.of("stdin=s:", "stdout=s:", "stderr=s:"));
      program.forEach(word -> entries.add("arg=" + word));
      entries.addAll(launch);
      return SpawnerProcess.launch(entries);
    }

    private byte[] orderFor(Path socket) throws IOException {
      List<String> entries = new ArrayList<>(List.of("step=7.0", "ntasks=" + tasks));
      entries.addAll(List.of("stdin=all", "killwait=1"));
      entries.addAll(order);
      entries.addAll(List.of("node=0:n1:" + socket, "node_ranks=0:0-" + (tasks - 1)));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(ByteBuffer.allocate(4).putInt(entries.size()).array());
      for (String entry : entries) {
        bytes.write((entry + "\0").getBytes(StandardCharsets.UTF_8));
      }
      byte[] launch = launchFrame().bytes(0);
      bytes.write(ByteBuffer.allocate(4).putInt(launch.length).array());
      bytes.write(launch);
      return bytes.toByteArray();
    }
  }

  SrunProcess(Path client, Path node, Step step, Path input) throws IOException {
    this(client, node, step, input, "exec \"$0\"");
  }

  /**
   * The client by a line of shell.
   *
   * @param line where {@code $0} is the client; it has to become the client in the end
   */
  SrunProcess(Path client, Path node, Step step, Path input, String line) throws IOException {
    home = Files.createTempDirectory("srun");
    Path socket = home.resolve("agent.sock");
    ServerSocketChannel agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    agent.bind(UnixDomainSocketAddress.of(socket));
    byte[] order = step.orderFor(node);
    Thread.ofVirtual().name("agent").start(() -> serve(agent, order));
    Path srun = Files.createSymbolicLink(home.resolve("srun"), client);
    ProcessBuilder builder =
        new ProcessBuilder("/bin/bash", "-c", line, srun.toString())
            .redirectInput(input.toFile())
            .redirectOutput(home.resolve("out").toFile())
            .redirectError(home.resolve("err").toFile())
            .directory(new File("/"));
    builder.environment().clear();
    builder.environment().put("DURE_AGENT", socket.toString());
    process = builder.start();
  }

  private volatile StepConnection connection;

  private void serve(ServerSocketChannel agent, byte[] order) {
    try (agent;
        SocketChannel caller = agent.accept();
        StepConnection frames = new StepConnection(caller)) {
      connection = frames;
      Channels.newInputStream(caller).readNBytes(8);
      frames.await('A');
      frames.send(new StepFrame('K'));
      frames.send(new StepFrame('L', order));
      StepFrame end = frames.await('l');
      result.complete(end);
      frames.send(StepFrame.ofNumbers('X', end.number(0)));
      frames.next();
    } catch (IOException e) {
      result.completeExceptionally(e);
    }
  }

  /** The agent ends, whatever the client does. */
  void killAgent() throws IOException {
    connection.close();
  }

  int code() throws InterruptedException {
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new AssertionError("still running: " + process);
    }
    return process.exitValue();
  }

  String output() throws IOException {
    return Files.readString(home.resolve("out"));
  }

  String errors() throws IOException {
    return Files.readString(home.resolve("err"));
  }

  void awaitOutput(String text) {
    Await.seconds(30).until("output holds " + text, () -> output().contains(text));
  }

  void awaitErrors(String text) {
    Await.seconds(30).until("errors hold " + text, () -> errors().contains(text));
  }

  Path file(String name) {
    return home.resolve(name);
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try (var files = Files.walk(home)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
