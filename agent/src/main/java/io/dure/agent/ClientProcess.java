package io.dure.agent;

import io.dure.cli.command.CallerProcess;
import io.dure.cli.command.FileTransfer;
import io.dure.cli.command.StepFrontEnd;
import io.dure.cli.process.CurrentProcessCaller;
import io.dure.host.net.PeerCredentials;
import io.dure.host.process.ErrnoTexts;
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

/**
 * The process at the other end of a conversation: its numbers by the kernel's word, the rest by its
 * own. For the command's thread.
 */
final class ClientProcess implements CallerProcess {
  /** Signals of a terminal, bits by their numbers: INT and QUIT. */
  private static final byte[] CAUGHT = {0, 0, 0, 0, 0, 0, 0, 1 << 2 | 1 << 3};

  private final PeerCredentials peer;
  private final ClientCall call;
  private final CallerFileOpener files;
  private final CurrentProcessCaller here;
  private final ClientConversation conversation;

  /**
   * A caller.
   *
   * @param here this process, which runs on the same machine
   */
  ClientProcess(
      PeerCredentials peer,
      ClientCall call,
      CallerFileOpener files,
      CurrentProcessCaller here,
      ClientConversation conversation) {
    this.conversation = conversation;
    this.peer = peer;
    this.call = call;
    this.files = files;
    this.here = here;
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
  public int sessionId() {
    return call.session();
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
    byte[] order = order(step.entries(), step.launch());
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
  public int runProgram(List<String> words, List<String> environment) throws IOException {
    conversation.send('H', CAUGHT, 0, CAUGHT.length, false);
    ByteArrayOutputStream order = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(order);
    out.writeInt(words.size());
    for (List<String> strings : List.of(words, environment)) {
      for (String string : strings) {
        out.write(string.getBytes(StandardCharsets.UTF_8));
        out.writeByte(0);
      }
    }
    return ByteBuffer.wrap(conversation.ask('P', order.toByteArray(), 'p')).getInt();
  }

  @Override
  public String requestId() {
    return call.requestId();
  }
}
