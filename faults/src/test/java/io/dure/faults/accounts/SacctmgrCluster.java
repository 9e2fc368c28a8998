package io.dure.faults.accounts;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.decide.CommandDecider;
import io.dure.controller.view.AccountsView;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterConfig;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A controller whose accounts are changed by command lines, without sockets: what it decides, what
 * it shows to whom, and the events that it would have stored. For one thread.
 */
final class SacctmgrCluster {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final ClusterState initial;
  private final List<Event> events = new ArrayList<>();
  private final List<Command.ChangeAccounting> asked = new ArrayList<>();
  private ClusterState state;

  /** The files that callers may read, and have written, by name. */
  final TreeMap<String, byte[]> files = new TreeMap<>();

  SacctmgrCluster(ClusterConfig config) {
    initial = ClusterState.initial(config);
    state = initial;
    decide(new Command.Configure(config, Command.Recovery.START), new Caller.Self());
  }

  /** The state as it is now. */
  ClusterState state() {
    return state;
  }

  /** The state before the first event. */
  ClusterState initial() {
    return initial;
  }

  /** All events so far, in order. */
  List<Event> events() {
    return events;
  }

  /** The accounts as they are stored. */
  AccountingRecords records() {
    return state.accounts().records();
  }

  /** A file's text. */
  String file(String name) {
    return new String(files.getOrDefault(name, new byte[0]), StandardCharsets.UTF_8);
  }

  /** Makes a file. */
  void file(String name, String text) {
    files.put(name, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Decides as the controller does. */
  Reply decide(Command command, Caller caller) {
    Decision decision = CommandDecider.decide(state, command, caller, NOW);
    for (Event event : decision.events()) {
      state = EventApplier.apply(state, event);
    }
    events.addAll(decision.events());
    return decision.reply();
  }

  private Reply ask(Command.ChangeAccounting change, Caller.User who) {
    asked.add(change);
    return decide(change, who);
  }

  /** The changes that runs have asked for, in order. */
  List<Command.ChangeAccounting> asked() {
    return asked;
  }

  /** {@code sacctmgr -i} with these words, called by somebody. */
  SacctmgrPort.Outcome run(Caller.User who, List<String> words) {
    return new SacctmgrPort(
            files,
            change -> ask(change, who),
            () -> AccountsView.accounts(state, who, List.of(), List.of()))
        .run(words);
  }

  /** The same, with the words of a line between blanks. */
  SacctmgrPort.Outcome run(Caller.User who, String line) {
    return run(who, List.of(line.split(" ", -1)));
  }
}
