package io.dure.protocol;

import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import io.dure.protocol.step.DisplayRequest;
import io.dure.protocol.step.FileCredential;
import io.dure.protocol.step.FileOrder;
import io.dure.protocol.step.NodePeerMessage;
import io.dure.protocol.step.RelayRequest;
import io.dure.protocol.step.StepAnswer;
import io.dure.protocol.step.StepAttachment;
import io.dure.protocol.step.StepQuestion;
import java.time.Duration;

/** The codecs of all messages, and the bounds of their frames. */
public final class WireCodecs {
  /**
   * Longest request a command may send, bytes: script (4 MiB) and environment with room to spare.
   */
  public static final int MAX_REQUEST = 16 << 20;

  /**
   * Most names in one list of what a listing asks for, as many as one argument of a command has
   * room for and as a list of hosts may name.
   */
  public static final int MAX_NAMES = 1 << 16;

  /** Longest reply, bytes: a long queue. */
  public static final int MAX_RESPONSE = 1 << 30;

  /** Longest request to slurmdbd, bytes: a batch of records. */
  public static final int MAX_RECORDS = 256 << 20;

  /** First bytes on a connection of a command, before the first frame. */
  public static final int COMMAND_MAGIC = 0x44757231; // "Dur1"

  /**
   * First bytes of who speaks for a caller and shows his token, at the controller's unix socket.
   */
  public static final int AGENT_MAGIC = 0x44754131; // "DuA1"

  /** First bytes on a connection of a node daemon, before the first frame. */
  public static final int NODE_MAGIC = 0x44754e31; // "DuN1"

  /** First bytes on a connection of another controller, before the first frame. */
  public static final int PEER_MAGIC = 0x44755031; // "DuP1"

  /** First bytes on a connection to a node daemon's unix socket, before the first frame. */
  public static final int LOCAL_MAGIC = 0x44754c31; // "DuL1"

  /** Longest request at a node daemon's unix socket, bytes. */
  public static final int MAX_LOCAL = 4096;

  /** Longest time that a controller lets a caller wait who asked to be told of something. */
  public static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  /** Longest frame that shows a token, bytes. */
  public static final int MAX_GREETING = 16 << 10;

  private WireCodecs() {}

  /** Requests of commands. */
  public static RecordCodec<Request> requests() {
    return RecordCodec.of(Request.class);
  }

  /** Replies to commands. */
  public static RecordCodec<Response> responses() {
    return RecordCodec.of(Response.class);
  }

  /** Messages to node daemons. */
  public static RecordCodec<ControllerToNodeMessage> toNode() {
    return RecordCodec.of(ControllerToNodeMessage.class);
  }

  /** Messages of node daemons. */
  public static RecordCodec<NodeToControllerMessage> fromNode() {
    return RecordCodec.of(NodeToControllerMessage.class);
  }

  /** What controllers sign for nodes; shares of many nodes say much alike. */
  public static RecordCodec<StepCredential> credentials() {
    return RecordCodec.of(StepCredential.class).sharing().grouped();
  }

  /** What front ends of steps send to nodes. */
  public static RecordCodec<StepLaunchOrder> launchOrders() {
    return RecordCodec.of(StepLaunchOrder.class);
  }

  /** What controllers sign for files. */
  public static RecordCodec<FileCredential> fileCredentials() {
    return RecordCodec.of(FileCredential.class);
  }

  /** Wishes to write and read files. */
  public static RecordCodec<FileOrder> fileOrders() {
    return RecordCodec.of(FileOrder.class);
  }

  /** Wishes to reach nodes of a step through a node daemon. */
  public static RecordCodec<RelayRequest> relayRequests() {
    return RecordCodec.of(RelayRequest.class);
  }

  /** What node daemons say to each other. */
  public static RecordCodec<NodePeerMessage> nodePeers() {
    return RecordCodec.of(NodePeerMessage.class);
  }

  /** Questions about steps to node daemons. */
  public static RecordCodec<StepQuestion> stepQuestions() {
    return RecordCodec.of(StepQuestion.class);
  }

  /** The answers to those. */
  public static RecordCodec<StepAnswer> stepAnswers() {
    return RecordCodec.of(StepAnswer.class);
  }

  /** Wishes to follow steps. */
  public static RecordCodec<StepAttachment> stepAttachments() {
    return RecordCodec.of(StepAttachment.class);
  }

  /** Wishes for displays on nodes. */
  public static RecordCodec<DisplayRequest> displayRequests() {
    return RecordCodec.of(DisplayRequest.class);
  }

  /** Requests of controllers to slurmdbd: records are as short as in the log of the controller. */
  public static RecordCodec<SlurmdbdRequest> slurmdbdRequests() {
    return RecordCodec.of(SlurmdbdRequest.class).exact().sharing();
  }

  /** The answers to those. */
  public static RecordCodec<SlurmdbdReply> slurmdbdReplies() {
    return RecordCodec.of(SlurmdbdReply.class).exact();
  }

  /** Requests to the node daemon of one's own machine. */
  public static RecordCodec<LocalRequest> localRequests() {
    return RecordCodec.of(LocalRequest.class);
  }

  /** Replies of the node daemon to programs of its own machine. */
  public static RecordCodec<LocalReply> localReplies() {
    return RecordCodec.of(LocalReply.class);
  }
}
