package io.dure.controller.loop;

import io.dure.model.command.Reply;

/** Receives a reply. Called by the thread that made it durable; must not block. */
public interface ReplyListener {
  /** The decision is durable; its effects are performed after this returns. */
  void decided(Reply reply);

  /** It could not be stored. */
  void failed(Throwable failure);

  /**
   * Whether the asker waits for what the scheduler makes of the command: storing it then waits a
   * moment for that, so that both are durable with one write.
   */
  default boolean awaitsStart() {
    return false;
  }
}
