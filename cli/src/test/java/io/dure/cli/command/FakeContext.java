package io.dure.cli.command;

import io.dure.host.user.UserDatabase;
import io.dure.model.request.PropagatedRlimit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A world for a command in a test: fixed time, no controller unless one is given. */
public final class FakeContext {
  private @Nullable StepFrontEnd frontEnd;

  /** Friday, 20 November 2026, 16:01:34 UTC. */
  public static final Instant NOW = Instant.parse("2026-11-20T16:01:34Z");

  public final Map<String, String> environment = new LinkedHashMap<>();
  public final ByteArrayOutputStream out = new ByteArrayOutputStream();
  public final ByteArrayOutputStream err = new ByteArrayOutputStream();
  public byte[] in = new byte[0];
  public int nice;

  /** The files that were to be moved last, null for none. */
  public @Nullable FileTransfer moved;

  /** The program that was run last, null for none. */
  public @Nullable CallerProgram ran;

  /** What programs do. */
  public Consumer<CallerProgram> program = _ -> {};

  /** Their exit status, which they may set. */
  public int status;

  /** Whether there is no room for what files are to hold. */
  public boolean full;

  /** The displays that were to be forwarded last, null for none. */
  public @Nullable DisplayForward displayed;

  /** What is answered to that. */
  public DisplayForward.Answer display = new DisplayForward.Answer(DisplayForward.Outcome.FINE, "");

  /** Files that the caller may not read, though this process may. */
  public final Set<Path> unreadable = new TreeSet<>();

  /** What is answered at sockets of this machine. */
  public final Map<Path, byte[]> sockets = new LinkedHashMap<>();

  /** The users and groups of this machine. */
  public final UserDatabase users = new TableUserDatabase();

  public int uid = 1001;
  public Path directory = Path.of("/nowhere");
  public final List<Duration> pauses = new ArrayList<>();
  public ControllerConnector controller =
      () -> {
        throw new IOException("Unable to contact slurm controller (connect failure)");
      };

  /** The fixed time. */
  public static CommandClock clock() {
    return new CommandClock() {
      @Override
      public Instant now() {
        return NOW;
      }

      @Override
      public ZoneId zone() {
        return ZoneOffset.UTC;
      }

      @Override
      public void pause(Duration time) {
        throw new AssertionError("no pause expected");
      }
    };
  }

  /** The context of a call with these words, the program first. */
  public CommandContext call(String... words) {
    List<String> all = List.of(words);
    return new CommandContext(
        all.get(0),
        all.subList(1, all.size()),
        environment,
        directory,
        new ByteArrayInputStream(in),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        new FakeCaller(),
        new PausingClock(),
        controller);
  }

  private final class PausingClock implements CommandClock {
    @Override
    public Instant now() {
      return NOW;
    }

    @Override
    public ZoneId zone() {
      return ZoneOffset.UTC;
    }

    @Override
    public void pause(Duration time) {
      pauses.add(time);
    }
  }

  public String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** The step that the caller was to run last, null for none. */
  public @Nullable StepFrontEnd frontEnd() {
    return frontEnd;
  }

  public String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private final class FakeCaller implements CallerProcess {
    @Override
    public @Nullable Path stepGateway() {
      return null;
    }

    @Override
    public int uid() {
      return uid;
    }

    @Override
    public int gid() {
      return 1001;
    }

    @Override
    public int umask() {
      return 022;
    }

    @Override
    public @Nullable TerminalSize terminal() {
      return null;
    }

    @Override
    public int nice() {
      return nice;
    }

    @Override
    public int processId() {
      return 77;
    }

    @Override
    public int sessionId() {
      return 4711;
    }

    @Override
    public String hostName() {
      return "vm";
    }

    @Override
    public boolean knowsUser(String name) {
      return List.of("root", "0", "alice", "1001", "bob", "1002").contains(name);
    }

    @Override
    public String loginName(int uid) {
      return uid == 0 ? "root" : Integer.toUnsignedString(uid);
    }

    @Override
    public String realName(String loginName) {
      return loginName.equals("alice") ? "Alice Liddell" : "";
    }

    @Override
    public String homeDirectory(String loginName) {
      return "/home/" + loginName;
    }

    @Override
    public UserDatabase users() {
      return users;
    }

    @Override
    public boolean knowsGroup(String name) {
      return List.of("root", "0", "staff", "50").contains(name);
    }

    @Override
    public List<PropagatedRlimit> limits() {
      return List.of(new PropagatedRlimit("NOFILE", 1024), new PropagatedRlimit("CORE", 0));
    }

    @Override
    public InputStream read(Path file) throws IOException {
      if (unreadable.contains(file)) {
        throw new AccessDeniedException(file.toString());
      }
      return Files.newInputStream(file);
    }

    @Override
    public OutputStream write(Path file) throws IOException {
      OutputStream made = Files.newOutputStream(file);
      if (full) {
        made.close();
        throw new IOException("No space left on device");
      }
      return made;
    }

    @Override
    public boolean hasFile(Path file) {
      return Files.isRegularFile(file);
    }

    @Override
    public StepFrontEnd.Outcome runStep(StepFrontEnd step) {
      frontEnd = step;
      return new StepFrontEnd.Outcome(0, false, false);
    }

    @Override
    public int moveFiles(FileTransfer files) {
      moved = files;
      return 0;
    }

    @Override
    public DisplayForward.Answer forwardDisplay(DisplayForward displays) {
      displayed = displays;
      return display;
    }

    @Override
    public byte[] askSocket(Path socket, char type, byte[] payload) throws IOException {
      byte[] answer = sockets.get(socket);
      if (answer == null) {
        throw new IOException("No such file or directory");
      }
      return answer;
    }

    @Override
    public CallerProgram.Outcome runProgram(CallerProgram run) {
      ran = run;
      status = 0;
      program.accept(run);
      return new CallerProgram.Outcome.Ended(status);
    }

    @Override
    public void signalProgram(int number) {}

    @Override
    public void sayOnSignal(String text) {}

    @Override
    public String requestId() {
      return "0123456789abcdef0123456789abcdef";
    }
  }
}
