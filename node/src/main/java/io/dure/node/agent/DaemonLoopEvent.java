package io.dure.node.agent;

import io.dure.model.UserIdentity;
import io.dure.model.command.StepEnd;
import io.dure.node.job.NodeLocalConfig;
import io.dure.node.launch.RunningStep;
import io.dure.node.link.ControllerLink;
import io.dure.node.login.ExternStep;
import io.dure.node.login.LoginRequest;
import io.dure.node.noderun.RunId;
import io.dure.node.noderun.RunInput;
import io.dure.node.peer.NodePeerLinks;
import io.dure.node.step.Spawner;
import io.dure.node.step.StepInquiry;
import io.dure.node.step.StepRequest;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.step.NodePeerMessage;

/** What the loop is told. */
sealed interface DaemonLoopEvent {

  /** A connection to the controller stands. */
  record Connected(ControllerLink.Session session) implements DaemonLoopEvent {}

  /** The controller says something. */
  record Received(ControllerLink.Session session, ControllerToNodeMessage message)
      implements DaemonLoopEvent {}

  /** The connection is gone. */
  record Disconnected(ControllerLink.Session session) implements DaemonLoopEvent {}

  /** Something happened to a run. */
  record Happened(RunId id, RunInput input) implements DaemonLoopEvent {}

  /** A shepherd keeps the step of a run. */
  record Kept(RunId id, RunningStep step) implements DaemonLoopEvent {}

  /** A front end wants a step started, and may. */
  record StepAsked(StepRequest request) implements DaemonLoopEvent {}

  /** A front end wants to write or read a file of a run on this node, and may. */
  record FileAsked(Spawner.StepConnection connection, RunId run, UserIdentity owner)
      implements DaemonLoopEvent {}

  /** A program of this machine asks about steps that run. */
  record StepInquired(StepInquiry inquiry) implements DaemonLoopEvent {}

  /** A shepherd keeps a numbered step. */
  record StepKept(RunId id, int number, RunningStep step) implements DaemonLoopEvent {}

  /** A numbered step has ended, or could not be started; no process of it is left. */
  record StepOver(RunId id, int number, StepEnd end) implements DaemonLoopEvent {}

  /** A login on this machine wants to join a job. */
  record LoginAsked(LoginRequest login) implements DaemonLoopEvent {}

  /** An earlier daemon has let logins into a run. */
  record LoginsFound(RunId id, ExternStep step) implements DaemonLoopEvent {}

  /** No process of logins is left of a run. */
  record LoginsOver(RunId id) implements DaemonLoopEvent {}

  /** The daemon of another node says something. */
  record PeerSaid(NodePeerLinks.Caller from, NodePeerMessage message) implements DaemonLoopEvent {}

  /** What was sent to a node's daemon may not have arrived. */
  record PeerLost(String node) implements DaemonLoopEvent {}

  /** Something of this machine is broken. */
  record Unfit(String reason) implements DaemonLoopEvent {}

  /** The configuration is another from now on. */
  record Configured(NodeLocalConfig setup) implements DaemonLoopEvent {}

  /** End the loop. */
  record Stop() implements DaemonLoopEvent {}
}
