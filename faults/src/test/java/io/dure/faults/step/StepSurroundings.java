package io.dure.faults.step;

import io.dure.cluster.RequestId;
import io.dure.controller.service.StepService;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.node.peer.NodePeerLinks;
import io.dure.protocol.Response;
import io.dure.protocol.step.NodePeerMessage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The world around steps. */
public interface StepSurroundings {
  /** Microseconds since the beginning. */
  long micros();

  /** Plans something that long from now. */
  void after(long micros, String what, Runnable action);

  /** Part of the story. */
  void tell(String words);

  /** Counts a happening. */
  void count(String what);

  /** A promise is broken. */
  void violate(String promise, String text);

  /** What sees all steps. */
  StepObserver observer();

  /** A name for a change. */
  RequestId name();

  /**
   * Asks for a change, again while no answer comes; for a while.
   *
   * @param told hears the answer
   * @param nobody told that there was none
   */
  void change(
      Caller.User user,
      RequestId name,
      Command.UserCommand command,
      Consumer<Reply> told,
      Runnable nobody);

  /** Asks the controller that leads something; the answer is null if none leads for a while. */
  void question(Function<StepService, Response> what, Consumer<@Nullable Response> told);

  /** The node of that name. */
  Node node(String name);

  /** What front ends see of a node. */
  interface Node {
    /** Which life of the daemon this is. */
    int life();

    /** The daemon of another node says something; false if that life is over. */
    boolean hear(int life, NodePeerLinks.Caller from, NodePeerMessage message);

    /** What the daemon has sent to another in that life may not have arrived. */
    void losePeer(int life, String node);

    /**
     * Connects to the node's daemon and sends it a launch; false if nobody listens.
     *
     * @param uid the user at this end
     */
    boolean launch(PartListener from, int uid, byte[] payload);

    /** Sends a signal to the tasks of a part, if it is still there. */
    void signal(PartId id, int signal);

    /** The front end of a part is gone. */
    void frontLost(PartId id);
  }
}
