package io.dure.cli.step;

import io.dure.cli.command.CallerProcess;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepQuestion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Asks the daemons of nodes, as the calling user. For the command's thread. */
public final class NodeInquiry {
  private static final int HEAD = 5;

  private final CallerProcess caller;

  /** Asks for that process. */
  public NodeInquiry(CallerProcess caller) {
    this.caller = caller;
  }

  /**
   * Asks a node about its steps.
   *
   * @throws IOException if it does not answer; the message says why
   */
  public StepAnswer figures(Response.StepNode node, StepQuestion question) throws IOException {
    byte[] answer =
        caller.askSocket(
            Path.of(NodePlace.of(node, caller)), 'U', WireCodecs.stepQuestions().encode(question));
    ByteBuffer frame = ByteBuffer.wrap(answer);
    if (answer.length < HEAD) {
      throw new IOException("the node daemon did not answer");
    }
    char type = (char) frame.get();
    int length = frame.getInt();
    if (type != 'U' || length != answer.length - HEAD) {
      throw new IOException(type == 'R' ? refusal(answer) : "Unexpected message received");
    }
    try {
      return WireCodecs.stepAnswers().decode(Arrays.copyOfRange(answer, HEAD, answer.length));
    } catch (MalformedMessageException e) {
      throw new IOException("Unexpected message received", e);
    }
  }

  /** The text behind the number. */
  private static String refusal(byte[] frame) {
    int start = Math.min(frame.length, HEAD + 4);
    int end = start;
    while (end < frame.length && frame[end] != 0) {
      end++;
    }
    return new String(frame, start, end - start, StandardCharsets.UTF_8);
  }
}
