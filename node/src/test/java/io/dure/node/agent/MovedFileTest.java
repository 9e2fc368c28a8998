package io.dure.node.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.job.Job;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.step.FileCredential;
import io.dure.protocol.step.FileOrder;
import io.dure.testkit.Await;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files that are sent to a node, by real programs: as long as their run is there, and so many. */
@Tag("process")
class MovedFileTest extends StepFixture {
  private static final int FACTS = 29;

  /** The same wish each time, as its user may repeat it until it expires. */
  private byte[] wish(Job job) {
    Instant now = Instant.now();
    byte[] credential =
        WireCodecs.fileCredentials()
            .encode(
                new FileCredential(
                    job.id(), job.owner(), List.of("n1"), now, now.plusSeconds(120), job.run()));
    byte[] signature = signer.sign(FileCredential.signed(credential));
    return WireCodecs.fileOrders().encode(new FileOrder(credential, signature));
  }

  private StepConnection asked(byte[] wish) throws IOException {
    Path socket = node.spool().resolve("step.sock");
    Await.seconds(30).until("the daemon serves steps", () -> serves(socket));
    StepConnection connection = StepConnection.to(socket);
    connection.send(new StepFrame('F', wish));
    return connection;
  }

  /** A file of which one part has been written. */
  private StepConnection begun(byte[] wish, Path file) throws IOException {
    StepConnection connection = asked(wish);
    byte[] path = (file + "\0").getBytes(StandardCharsets.UTF_8);
    byte[] ask = ByteBuffer.allocate(FACTS + path.length).putInt(0100644).array();
    System.arraycopy(path, 0, ask, FACTS, path.length);
    connection.send(new StepFrame('P', ask));
    connection.send(new StepFrame('D', (byte) 'x'));
    Await.seconds(30).until("it is being written", () -> Files.exists(file));
    return connection;
  }

  /** Whether it gets a program, which then is told nonsense and ends. */
  private boolean isLetIn(byte[] wish) throws IOException {
    try (StepConnection connection = asked(wish)) {
      try {
        connection.send(new StepFrame('?', new byte[64]));
      } catch (IOException refusedAndClosed) {
        // the refusal is there to be read
      }
      StepFrame first = connection.next();
      return first != null && first.type() == 'r';
    }
  }

  @Test
  void itEndsWithItsRunAndNoneBeginsAfterIt() throws Exception {
    Job job = job(12);
    byte[] wish = wish(job);
    Path file = node.work().resolve("file");
    try (StepConnection _ = begun(wish, file)) {
      controller.terminate(job, Effect.TerminationReason.CANCELLED, 30);
      controller.next(Command.NodeCleaned.class);
      Await.seconds(30).until("no part of it is left", () -> !Files.exists(file));
    }
    try (StepConnection late = asked(wish)) {
      assertEquals("2021 Job/step already completing or completed", refusal(late));
    }
  }

  @Test
  void aUserHasSoManyAtATime() throws Exception {
    byte[] wish = wish(job(12));
    List<StepConnection> open = new ArrayList<>();
    try {
      for (int i = 0; i < 64; i++) {
        open.add(begun(wish, node.work().resolve("file" + i)));
      }
      try (StepConnection more = asked(wish)) {
        assertEquals(
            "11 too many files are being moved on this node, try again later", refusal(more));
      }
      open.removeFirst().close();
      Await.seconds(30).until("there is room for one more", () -> isLetIn(wish));
    } finally {
      for (StepConnection connection : open) {
        connection.close();
      }
    }
  }
}
