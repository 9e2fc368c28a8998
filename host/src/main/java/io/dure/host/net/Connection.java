package io.dure.host.net;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection to another program of the cluster, over which whole frames travel both ways.
 *
 * <p>One thread may send while another receives; any thread may close, and then the others come
 * back with an exception.
 */
public interface Connection extends Closeable {
  /**
   * Sends the four bytes by which a listener tells what speaks, big-endian; before the first frame.
   *
   * @throws IOException as {@link #send} does
   */
  void sendMagic(int magic) throws IOException;

  /**
   * Waits for the four bytes that {@link #sendMagic} sends.
   *
   * @throws FrameException if the peer ended the connection before
   * @throws IOException as {@link #receive} does
   */
  int receiveMagic() throws IOException;

  /**
   * Sends one payload.
   *
   * @throws FrameException if it is longer than {@link FrameStream#MAX_PAYLOAD}; nothing is sent
   *     then
   * @throws java.net.SocketTimeoutException if the peer did not take it within the time limit; the
   *     connection is closed then
   * @throws IOException if the connection is broken
   */
  void send(byte[] payload) throws IOException;

  /**
   * Waits for the next payload.
   *
   * @return the payload, possibly empty; null if the peer ended the connection between frames
   * @throws FrameException if what came is no frame
   * @throws java.net.SocketTimeoutException if the whole of it did not come within the time limit;
   *     the connection is closed then, for a later answer could be taken for another's
   * @throws IOException if the connection is broken
   */
  byte @Nullable [] receive() throws IOException;

  /**
   * The same from a peer that is not trusted, with a bound on what this program holds for it.
   *
   * @param maxPayload largest payload that is no {@link FrameException}, in bytes
   */
  byte @Nullable [] receive(int maxPayload) throws IOException;

  /**
   * The same, once there is room for it.
   *
   * @param admission is asked when the length has come and nothing of the payload is read yet
   */
  byte @Nullable [] receive(int maxPayload, PayloadQuota admission) throws IOException;

  /** Lets a payload in. */
  interface PayloadQuota {
    /**
     * Waits until there is room for so many bytes.
     *
     * @return how long they may then take to come
     * @throws IOException if there is none; the connection cannot be used any more
     */
    Duration admit(int length) throws IOException;
  }

  /** Limits the time that each later send and each receive may take; zero means no limit. */
  void timeLimit(Duration limit);

  /** Ends the connection; a second call does nothing. */
  @Override
  void close() throws IOException;
}
