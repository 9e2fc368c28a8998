package io.dure.protocol;

/**
 * What a program asks the node daemon of its own machine, over the daemon's unix socket: {@link
 * Wire#LOCAL_MAGIC}, one frame, and one {@link LocalReply} comes back.
 */
public sealed interface LocalRequest {

  /**
   * Vouch for me to the controller.
   *
   * @param version Dure's version of the caller
   */
  record UserToken(String version) implements LocalRequest {
    static final String TAG = "UserToken";
  }
}
