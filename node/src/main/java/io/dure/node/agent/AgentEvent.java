package io.dure.node.agent;

import io.dure.core.node.RunId;
import io.dure.core.node.RunInput;
import io.dure.node.job.NodeSetup;
import io.dure.node.launch.RunningStep;
import io.dure.node.link.ControllerCaller;
import io.dure.protocol.ToNode;

/** What the loop is told. */
sealed interface AgentEvent {

  /** A connection to the controller stands. */
  record Connected(ControllerCaller.Session session) implements AgentEvent {}

  /** The controller says something. */
  record Received(ControllerCaller.Session session, ToNode message) implements AgentEvent {}

  /** The connection is gone. */
  record Disconnected(ControllerCaller.Session session) implements AgentEvent {}

  /** Something happened to a run. */
  record Happened(RunId id, RunInput input) implements AgentEvent {}

  /** A shepherd keeps the step of a run. */
  record Kept(RunId id, RunningStep step) implements AgentEvent {}

  /** The configuration is another from now on. */
  record Configured(NodeSetup setup) implements AgentEvent {}

  /** End the loop. */
  record Stop() implements AgentEvent {}
}
