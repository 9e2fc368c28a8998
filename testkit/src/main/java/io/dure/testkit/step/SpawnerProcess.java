package io.dure.testkit.step;

import io.dure.testkit.Await;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A real spawner, with this class in the node daemon's place: each launch that comes is started as
 * it is. A launch is the launch file's entries, a byte 1, and the environment's. Any thread may use
 * it.
 */
public final class SpawnerProcess implements AutoCloseable {
  private static final int NOBODY = 65534;

  /** Everything lies below; every user may pass. */
  public final Path home;

  /** Where front ends connect. */
  public final Path socket;

  private final List<StepFrame> news = new CopyOnWriteArrayList<>();
  private final Process process;
  private final boolean answers;
  private final AtomicInteger started = new AtomicInteger();

  /**
   * Starts it.
   *
   * @param programs the folder of spawner and shepherd
   * @param answers whether launches are started, or only noted
   */
  public SpawnerProcess(Path programs, boolean answers) throws IOException {
    this.answers = answers;
    home = Files.createTempDirectory("step");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    socket = home.resolve("step.sock");
    process =
        new ProcessBuilder(
                programs.resolve("spawner").toString(),
                socket.toString(),
                programs.resolve("shepherd").toString())
            .redirectError(home.resolve("spawner.log").toFile())
            .start();
    Thread.ofVirtual().name("spawner-news").start(this::hear);
    Await.seconds(20).until("the spawner listens", () -> Files.exists(socket));
  }

  private void hear() {
    try (DataInputStream in = new DataInputStream(process.getInputStream())) {
      while (true) {
        char type = (char) in.readUnsignedByte();
        byte[] payload = new byte[in.readInt()];
        in.readFully(payload);
        StepFrame frame = new StepFrame(type, payload);
        news.add(frame);
        if (answers && type == 'C' && payload[16] == 'L') {
          start(frame.number(0), ByteBuffer.wrap(payload, 17, payload.length - 17).slice());
        }
      }
    } catch (EOFException _) {
      // It has ended.
    } catch (IOException e) {
      news.add(StepFrame.of('!', 0, e.toString()));
    }
  }

  /** Makes the step's directory and orders its start. */
  private void start(int id, ByteBuffer launch) throws IOException {
    byte[] all = new byte[launch.remaining()];
    launch.get(all);
    int gap = 0;
    while (all[gap] != 1) {
      gap++;
    }
    Path step = Files.createDirectory(home.resolve("job%05d.0".formatted(started.get() + 1)));
    Files.setPosixFilePermissions(step, PosixFilePermissions.fromString("rwx--x--x"));
    try (OutputStream file = Files.newOutputStream(step.resolve("launch"))) {
      file.write(all, 0, gap);
      file.write(0);
      file.write(all, gap + 1, all.length - gap - 1);
    }
    order(StepFrame.of('S', id, step.toString()));
    started.incrementAndGet();
  }

  /** The directory of the step that was started last. */
  public Path lastStep() {
    return home.resolve("job%05d.0".formatted(started.get()));
  }

  /** Gives the spawner an order. */
  public synchronized void order(StepFrame frame) throws IOException {
    process.getOutputStream().write(frame.encoded());
    process.getOutputStream().flush();
  }

  /** All news of that type, the latest last. */
  public List<StepFrame> news(char type) {
    return news.stream().filter(frame -> frame.type() == type).toList();
  }

  /** Waits for as many news of that type, and returns the last of them. */
  public StepFrame awaitNews(char type, int count) {
    return Await.seconds(30)
        .value(count + " news of type " + type, () -> news(type), seen -> seen.size() >= count)
        .get(count - 1);
  }

  /** The user that steps run as: nobody for root, otherwise who runs the test. */
  public static int user() throws IOException {
    int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    return self == 0 ? NOBODY : self;
  }

  /** A launch frame with these entries behind those that every step has. */
  public static StepFrame launch(List<String> entries, String... environment) throws IOException {
    String own = "uid=" + user() + "\0gid=" + gid() + "\0umask=022\0cwd=/tmp\0";
    String variables = "PATH=/usr/bin:/bin\0SLURM_JOB_ID=1\0SLURM_STEP_ID=0\0SLURMD_NODENAME=n1\0";
    String text = own + joined(entries) + "\1" + variables + joined(List.of(environment));
    return new StepFrame('L', text.getBytes(StandardCharsets.UTF_8));
  }

  private static int gid() throws IOException {
    int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:gid");
    return self == 0 ? NOBODY : self;
  }

  private static String joined(List<String> entries) {
    StringBuilder text = new StringBuilder();
    for (String entry : entries) {
      text.append(entry).append('\0');
    }
    return text.toString();
  }

  /** The spawner itself. */
  public Process process() {
    return process;
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    Await.seconds(20).until("the spawner ends", () -> !process.isAlive());
    // Steps go on without the spawner, and write until they have ended.
    Await.seconds(20).until("its folder is removed", this::removed);
  }

  private boolean removed() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
      return true;
    } catch (DirectoryNotEmptyException | NoSuchFileException | UncheckedIOException _) {
      return false;
    }
  }
}
