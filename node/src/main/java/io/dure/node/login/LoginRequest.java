package io.dure.node.login;

import io.dure.node.step.Spawner;
import io.dure.protocol.step.DisplayRequest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A login on this machine that asks to join a job of its user; or a front end that asks for a
 * display in one.
 *
 * @param connection the process that logs the user in, which is root's; it is what joins. Or the
 *     front end
 * @param uid the user
 * @param newest whether the newest job will do where there are several
 * @param display what a front end asks for; a process that serves it is what joins
 */
public record LoginRequest(
    Spawner.StepConnection connection, int uid, boolean newest, @Nullable DisplayRequest display) {
  private static final int LENGTH = 5;
  private static final int NEWEST = 1;

  /**
   * What a first frame asks for; null if it is none of root's on this machine, or is malformed. One
   * that is passed on for a user of another machine has no process here.
   */
  public static @Nullable LoginRequest of(Spawner.StepConnection connection, byte[] payload) {
    if (connection.uid() != 0 || connection.pid() <= 1 || payload.length != LENGTH) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(payload);
    return new LoginRequest(connection, bytes.getInt(), (bytes.get() & NEWEST) != 0, null);
  }

  /** A front end's wish. */
  public static LoginRequest of(Spawner.StepConnection connection, DisplayRequest display) {
    return new LoginRequest(connection, connection.uid(), false, display);
  }

  /** Whether it may join that job, if it is the user's. */
  public boolean isFor(int jobId) {
    return display == null || display.jobId() == jobId;
  }
}
