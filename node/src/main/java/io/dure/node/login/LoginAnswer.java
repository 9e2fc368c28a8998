package io.dure.node.login;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What a login is told. */
public sealed interface LoginAnswer {
  /**
   * The process belongs to the job now.
   *
   * @param space the file that keeps the mount namespace that it has to enter, empty for none
   */
  record Joined(int jobId, String node, String space) implements LoginAnswer {}

  /** The user has no job here. */
  record NoJobs() implements LoginAnswer {}

  /** The user has several jobs here, and it was not asked for the newest. */
  record Several() implements LoginAnswer {}

  /** The user has a job here, which the process did not join. */
  record Failed(int jobId, String why) implements LoginAnswer {}

  /** The payload of its frame: a status, the job, a text, and perhaps another one behind a NUL. */
  default byte[] payload() {
    return switch (this) {
      case Joined(int jobId, String node, String space) ->
          payload(0, jobId, space.isEmpty() ? node : node + "\0" + space);
      case NoJobs _ -> payload(1, 0, "");
      case Several _ -> payload(2, 0, "");
      case Failed(int jobId, String why) -> payload(3, jobId, why);
    };
  }

  private static byte[] payload(int status, int jobId, String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(9 + words.length).putInt(status).putInt(jobId).put(words).array();
  }
}
