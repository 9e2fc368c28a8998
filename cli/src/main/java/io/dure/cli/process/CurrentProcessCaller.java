package io.dure.cli.process;

import io.dure.cli.command.CallerProcess;
import io.dure.cli.command.CallerProgram;
import io.dure.cli.command.DisplayForward;
import io.dure.cli.command.FileTransfer;
import io.dure.cli.command.StepFrontEnd;
import io.dure.cli.command.TerminalSize;
import io.dure.host.config.LocalConfigSource;
import io.dure.host.lua.LuaScript;
import io.dure.host.user.CurrentProcess;
import io.dure.host.user.LibcUserDatabase;
import io.dure.host.user.PasswdEntry;
import io.dure.model.request.PropagatedRlimit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The process that a command runs in. */
public final class CurrentProcessCaller implements CallerProcess {
  /** Above it, a shell and Java say by which signal a process ended. */
  private static final int SIGNALLED = 128;

  /** The kernel's name of a limit and that of setrlimit(2). */
  private record Limit(String title, String name) {}

  private static final List<Limit> LIMITS =
      List.of(
          new Limit("Max cpu time", "CPU"),
          new Limit("Max file size", "FSIZE"),
          new Limit("Max data size", "DATA"),
          new Limit("Max stack size", "STACK"),
          new Limit("Max core file size", "CORE"),
          new Limit("Max resident set", "RSS"),
          new Limit("Max processes", "NPROC"),
          new Limit("Max open files", "NOFILE"),
          new Limit("Max locked memory", "MEMLOCK"),
          new Limit("Max address space", "AS"));

  /** A program that takes longer takes a while. */
  private static final int LASTS_MILLIS = 250;

  private static final int SESSION_FIELD = 3;

  private static final int NICE_FIELD = 16;

  private static final int ID_BYTES = 16;

  private final Path proc;
  private @Nullable String requestId;
  private volatile @Nullable Process child;
  private volatile @Nullable String hostName;

  /** The caller described below a directory like {@code /proc}. */
  public CurrentProcessCaller(Path proc) {
    this(proc, null);
  }

  /**
   * The same, in place of a call that may have been carried out already.
   *
   * @param requestId the id of that call, null if there was none
   */
  public CurrentProcessCaller(Path proc, @Nullable String requestId) {
    this.proc = proc;
    this.requestId = requestId;
  }

  @Override
  public @Nullable LuaScript siteFilter() {
    Map<String, String> environment = ProcessArguments.environment(proc.resolve("self"));
    Path config = LocalConfigSource.locate(environment);
    return FilterScripts.isAsked(config)
        ? FilterScripts.beside(config, environment, Path.of("").toAbsolutePath(), asksAtTerminal())
        : null;
  }

  private boolean asksAtTerminal() {
    try {
      String input = Files.readSymbolicLink(proc.resolve("self/fd/0")).toString();
      return input.startsWith("/dev/pts/") || input.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }

  /** Only an agent has one. */
  @Override
  public @Nullable Path stepGateway() {
    return null;
  }

  @Override
  public int uid() {
    return CurrentProcess.realUid();
  }

  @Override
  public int gid() {
    return CurrentProcess.realGid();
  }

  @Override
  public int umask() {
    for (String line : lines("self/status")) {
      if (line.startsWith("Umask:")) {
        return Integer.parseInt(line.substring(6).strip(), 8);
      }
    }
    return 022;
  }

  @Override
  public int processId() {
    return (int) ProcessHandle.current().pid();
  }

  @Override
  public int sessionId() {
    return number("self/stat", SESSION_FIELD);
  }

  /** Only a step asks, and this process cannot run one. */
  @Override
  public @Nullable TerminalSize terminal() {
    return null;
  }

  @Override
  public String loginName(int uid) {
    PasswdEntry known = new LibcUserDatabase().userByUid(uid);
    return known == null ? Integer.toUnsignedString(uid) : known.name();
  }

  @Override
  public String realName(String loginName) {
    PasswdEntry known = new LibcUserDatabase().userByName(loginName);
    return known == null ? "" : known.realName();
  }

  @Override
  public String homeDirectory(String loginName) {
    PasswdEntry known = new LibcUserDatabase().userByName(loginName);
    return known == null ? "" : known.home();
  }

  @Override
  public int nice() {
    return number("self/stat", NICE_FIELD);
  }

  /** The nice value of another process; 0 where it is gone. */
  public int nice(int pid) {
    try {
      return number(pid + "/stat", NICE_FIELD);
    } catch (UncheckedIOException e) {
      return 0;
    }
  }

  /** A number of a process by its place after the process's name. */
  private int number(String file, int field) {
    String stat = lines(file).get(0);
    // The name in parentheses may hold blanks and parentheses of its own.
    String rest = stat.substring(stat.lastIndexOf(')') + 2);
    int start = 0;
    for (int i = 0; i < field; i++) {
      start = rest.indexOf(' ', start) + 1;
    }
    return Integer.parseInt(rest.substring(start, rest.indexOf(' ', start)));
  }

  /** Read once: a machine keeps its name for as long as this process runs. */
  @Override
  public String hostName() {
    String known = hostName;
    if (known == null) {
      String name = lines("sys/kernel/hostname").get(0);
      int dot = name.indexOf('.');
      known = dot < 0 ? name : name.substring(0, dot);
      hostName = known;
    }
    return known;
  }

  @Override
  public boolean knowsUser(String name) {
    LibcUserDatabase users = new LibcUserDatabase();
    try {
      return users.userByUid(Integer.parseUnsignedInt(name)) != null;
    } catch (NumberFormatException e) {
      return users.userByName(name) != null;
    }
  }

  @Override
  public boolean knowsGroup(String name) {
    LibcUserDatabase users = new LibcUserDatabase();
    try {
      return users.groupByGid(Integer.parseUnsignedInt(name)) != null;
    } catch (NumberFormatException e) {
      return users.groupByName(name) != null;
    }
  }

  @Override
  public List<PropagatedRlimit> limits() {
    List<PropagatedRlimit> found = new ArrayList<>();
    List<String> lines = lines("self/limits");
    for (Limit limit : LIMITS) {
      for (String line : lines) {
        if (line.startsWith(limit.title())) {
          String soft = firstWord(line.substring(limit.title().length()));
          long value = soft.equals("unlimited") ? -1 : Long.parseLong(soft);
          found.add(new PropagatedRlimit(limit.name(), value));
        }
      }
    }
    return List.copyOf(found);
  }

  @Override
  public InputStream read(Path file) throws IOException {
    return Files.newInputStream(file);
  }

  @Override
  public OutputStream write(Path file) throws IOException {
    return Files.newOutputStream(file);
  }

  @Override
  public boolean hasFile(Path file) {
    return Files.isRegularFile(file);
  }

  @Override
  public StepFrontEnd.Outcome runStep(StepFrontEnd step) throws IOException {
    throw new IOException("steps are run by the agent of this machine, which does not serve");
  }

  @Override
  public int moveFiles(FileTransfer files) throws IOException {
    throw new IOException("files are moved by the agent of this machine, which does not serve");
  }

  @Override
  public DisplayForward.Answer forwardDisplay(DisplayForward displays) throws IOException {
    throw new IOException("X11 is forwarded by the agent of this machine, which does not serve");
  }

  @Override
  public byte[] askSocket(Path socket, char type, byte[] payload) throws IOException {
    try (SocketChannel to = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer frame = ByteBuffer.allocate(5 + payload.length);
      frame.put((byte) type).putInt(payload.length).put(payload).flip();
      while (frame.hasRemaining()) {
        to.write(frame);
      }
      return Channels.newInputStream(to).readAllBytes();
    }
  }

  @Override
  public CallerProgram.Outcome runProgram(CallerProgram program) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(program.words())
            .inheritIO()
            .directory(Path.of(program.directory()).toFile());
    builder.environment().clear();
    for (String line : program.environment()) {
      int equals = line.indexOf('=');
      builder.environment().put(line.substring(0, equals), line.substring(equals + 1));
    }
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return new CallerProgram.Outcome.NotFound();
    }
    child = process;
    try {
      if (!process.waitFor(LASTS_MILLIS, TimeUnit.MILLISECONDS) && !program.goesOn().test(0)) {
        return new CallerProgram.Outcome.Abandoned();
      }
      int code = process.waitFor();
      // A signal is told as its number above 128.
      return new CallerProgram.Outcome.Ended(code > SIGNALLED ? code - SIGNALLED : code << 8);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new CallerProgram.Outcome.Abandoned();
    }
  }

  @Override
  public void signalProgram(int number) throws IOException {
    Process running = child;
    if (running != null) {
      new ProcessBuilder("kill", "-" + number, Long.toString(running.pid())).start();
    }
  }

  /** A signal ends this process as it is. */
  @Override
  public void sayOnSignal(String text) {}

  @Override
  public String requestId() {
    String id = requestId;
    if (id == null) {
      byte[] bytes = new byte[ID_BYTES];
      new SecureRandom().nextBytes(bytes);
      id = HexFormat.of().formatHex(bytes);
      requestId = id;
    }
    return id;
  }

  private static String firstWord(String text) {
    String stripped = text.strip();
    int blank = stripped.indexOf(' ');
    return blank < 0 ? stripped : stripped.substring(0, blank);
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(proc.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + proc.resolve(file), e);
    }
  }
}
