package io.dure.agent;

import io.dure.cli.command.CallerProcess;
import io.dure.cli.command.CallerProgram;
import io.dure.cli.command.DisplayForward;
import io.dure.cli.command.FileTransfer;
import io.dure.cli.command.StepFrontEnd;
import io.dure.cli.command.TerminalSize;
import io.dure.cli.process.CurrentProcessCaller;
import io.dure.cli.process.FilterScripts;
import io.dure.host.config.LocalConfigSource;
import io.dure.host.lua.LuaScript;
import io.dure.host.net.PeerCredentials;
import io.dure.host.process.ErrnoTexts;
import io.dure.host.user.CurrentProcess;
import io.dure.model.request.PropagatedRlimit;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The process at the other end of a conversation: its numbers by the kernel's word, the rest by its
 * own. For the command's thread.
 */
final class ClientProcess implements CallerProcess {
  private static final int NOT_FOUND = -1;

  private final PeerCredentials peer;
  private final ClientCall call;
  private final CallerFileOpener files;
  private final CurrentProcessCaller here;
  private final ClientConversation conversation;
  private final @Nullable Path gateway;

  /**
   * A caller.
   *
   * @param here this process, which runs on the same machine
   * @param gateway socket of this agent's gateway to nodes, null for none
   */
  ClientProcess(
      PeerCredentials peer,
      ClientCall call,
      CallerFileOpener files,
      CurrentProcessCaller here,
      ClientConversation conversation,
      @Nullable Path gateway) {
    this.conversation = conversation;
    this.gateway = gateway;
    this.peer = peer;
    this.call = call;
    this.files = files;
    this.here = here;
  }

  @Override
  public @Nullable Path stepGateway() {
    return gateway;
  }

  /** Only of a caller that is this process's user: for others it would have that one's rights. */
  @Override
  public @Nullable LuaScript siteFilter() {
    Path directory = Path.of(call.directory());
    Path config = LocalConfigSource.locate(directory, call.environment());
    return peer.uid() == CurrentProcess.effectiveUid() && FilterScripts.isAsked(config)
        ? FilterScripts.beside(config, call.environment(), directory, false)
        : null;
  }

  @Override
  public int uid() {
    return peer.uid();
  }

  @Override
  public int gid() {
    return peer.gid();
  }

  @Override
  public int umask() {
    return call.umask();
  }

  @Override
  public int processId() {
    return peer.pid();
  }

  @Override
  public int sessionId() {
    return call.session();
  }

  @Override
  public @Nullable TerminalSize terminal() {
    return call.hasTerminal() ? call.window() : null;
  }

  @Override
  public int nice() {
    return here.nice(peer.pid());
  }

  @Override
  public String hostName() {
    return here.hostName();
  }

  @Override
  public boolean knowsUser(String name) {
    return here.knowsUser(name);
  }

  @Override
  public String loginName(int uid) {
    return here.loginName(uid);
  }

  @Override
  public String realName(String loginName) {
    return here.realName(loginName);
  }

  @Override
  public String homeDirectory(String loginName) {
    return here.homeDirectory(loginName);
  }

  @Override
  public boolean knowsGroup(String name) {
    return here.knowsGroup(name);
  }

  @Override
  public List<PropagatedRlimit> limits() {
    return call.limits();
  }

  @Override
  public InputStream read(Path file) throws IOException {
    return files.read(file);
  }

  @Override
  public OutputStream write(Path file) throws IOException {
    return files.write(file);
  }

  @Override
  public boolean hasFile(Path file) {
    return files.isOrdinary(file);
  }

  @Override
  public StepFrontEnd.Outcome runStep(StepFrontEnd step) throws IOException {
    ByteArrayOutputStream launches = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(launches);
    for (byte[] launch : step.launches()) {
      out.writeInt(launch.length);
      out.write(launch);
    }
    byte[] order = order(step.entries(), launches.toByteArray());
    ByteBuffer answer = ByteBuffer.wrap(conversation.ask('L', order, 'l'));
    int code = answer.getInt();
    int flags = answer.getInt();
    return new StepFrontEnd.Outcome(code, (flags & 1) != 0, (flags & 2) != 0);
  }

  private static byte[] order(List<String> entries, byte[] rest) throws IOException {
    ByteArrayOutputStream order = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(order);
    out.writeInt(entries.size());
    for (String entry : entries) {
      out.write(entry.getBytes(StandardCharsets.UTF_8));
      out.writeByte(0);
    }
    out.write(rest);
    return order.toByteArray();
  }

  @Override
  public int moveFiles(FileTransfer files) throws IOException {
    byte[] order = order(files.entries(), files.order());
    return ByteBuffer.wrap(conversation.ask('B', order, 'b')).getInt();
  }

  @Override
  public DisplayForward.Answer forwardDisplay(DisplayForward displays) throws IOException {
    byte[] order = order(displays.entries(), displays.request());
    ByteBuffer answer = ByteBuffer.wrap(conversation.ask('D', order, 'd'));
    DisplayForward.Outcome[] outcomes = DisplayForward.Outcome.values();
    int outcome = answer.getInt();
    if (outcome < 0 || outcome >= outcomes.length) {
      throw new IOException("an outcome of X11 forwarding that is not known");
    }
    return new DisplayForward.Answer(
        outcomes[outcome], StandardCharsets.UTF_8.decode(answer).toString());
  }

  @Override
  public byte[] askSocket(Path socket, char type, byte[] payload) throws IOException {
    ByteArrayOutputStream order = new ByteArrayOutputStream();
    order.write(type);
    order.write(socket.toString().getBytes(StandardCharsets.UTF_8));
    order.write(0);
    order.write(payload);
    byte[] question = order.toByteArray();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    while (true) {
      ByteBuffer answer = ByteBuffer.wrap(conversation.ask('N', question, 'n'));
      int errno = answer.getInt();
      int left = answer.getInt();
      if (errno != 0) {
        throw new IOException(ErrnoTexts.text(errno));
      }
      whole.write(answer.array(), answer.position(), answer.remaining());
      if (left <= 0) {
        return whole.toByteArray();
      }
      question = new byte[0];
    }
  }

  @Override
  public CallerProgram.Outcome runProgram(CallerProgram program) throws IOException {
    ByteArrayOutputStream order = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(order);
    out.writeInt(program.words().size());
    for (List<String> strings :
        List.of(List.of(program.directory()), program.words(), program.environment())) {
      for (String string : strings) {
        out.write(string.getBytes(StandardCharsets.UTF_8));
        out.writeByte(0);
      }
    }
    byte[] answer =
        conversation.ask(
            'P', order.toByteArray(), 'p', signal -> program.goesOn().test(signal.getInt()));
    if (answer == null) {
      return new CallerProgram.Outcome.Abandoned();
    }
    int status = ByteBuffer.wrap(answer).getInt();
    return status == NOT_FOUND
        ? new CallerProgram.Outcome.NotFound()
        : new CallerProgram.Outcome.Ended(status);
  }

  @Override
  public void signalProgram(int number) throws IOException {
    byte[] payload = ByteBuffer.allocate(4).putInt(number).array();
    conversation.send('Y', payload, 0, payload.length, true);
  }

  @Override
  public void sayOnSignal(String text) throws IOException {
    byte[] payload = text.getBytes(StandardCharsets.UTF_8);
    conversation.send('H', payload, 0, payload.length, true);
  }

  @Override
  public String requestId() {
    return call.requestId();
  }
}
