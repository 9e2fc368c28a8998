package io.dure.controller.script;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.command.Effect;
import io.dure.model.config.ControllerPrograms;
import io.dure.model.reservation.Reservation;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;

/**
 * What a controller that leads runs and writes on its own account: mail, the power of nodes,
 * reservations, and its own leadership. Nothing blocks.
 */
public final class OwnPrograms implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private final PowerPrograms powers;
  private final JobMail mail;
  private final BackgroundPrograms programs;
  private final Logger log;

  /** The reservations that have begun. Of the thread that tells of events. */
  private SortedSet<String> begun;

  private final CountDownLatch leads = new CountDownLatch(1);

  /**
   * Runs nothing yet.
   *
   * @param before the cluster before the first event that it will be told of
   */
  public OwnPrograms(ClusterState before, Logger log) {
    this.log = log;
    begun = begun(before);
    powers = new PowerPrograms(log);
    mail = new JobMail(log);
    programs = new BackgroundPrograms("controller-program", 8, 1_000, log);
  }

  /** This controller leads from now on. */
  public void begin(ClusterState state) {
    leads.countDown();
    run("SlurmctldPrimaryOnProg", state.settings().programs().primaryOn(), List.of(), state);
  }

  /** Events are durable; one thread at a time. */
  public void happened(List<Event> events, ClusterState after) {
    mail.happened(events, after);
    if (events.stream().anyMatch(OwnPrograms::isOfReservation)) {
      reservations(after);
    }
  }

  private static boolean isOfReservation(Event event) {
    return event instanceof Event.ReservationDefined || event instanceof Event.ReservationDeleted;
  }

  private static SortedSet<String> begun(ClusterState state) {
    SortedSet<String> names = new TreeSet<>();
    for (Reservation reservation : state.reservations()) {
      if (reservation.begun()) {
        names.add(reservation.name());
      }
    }
    return names;
  }

  /** Nodes are to be switched off or on. */
  public void power(Effect.SwitchPower effect, ClusterState state) {
    powers.run(effect, state);
  }

  /** Something happened that a trigger waited for. */
  public void trigger(Effect.RunTrigger effect, ClusterState state) {
    List<String> words = new ArrayList<>(List.of(effect.program().strip().split("[ \\t]+")));
    String program = words.removeFirst();
    words.add(effect.told());
    log.info("trigger " + effect.id() + ": runs " + program + " " + effect.told());
    run("trigger " + effect.id(), program, words, state);
  }

  /** What began or ended is durable, so that the next leader does not tell of it again. */
  private void reservations(ClusterState state) {
    ControllerPrograms settings = state.settings().programs();
    SortedSet<String> before = begun;
    begun = begun(state);
    for (String name : begun) {
      if (!before.contains(name)) {
        run("ResvProlog", settings.reservationProlog(), List.of(name), state);
      }
    }
    for (String name : before) {
      if (!begun.contains(name)) {
        run("ResvEpilog", settings.reservationEpilog(), List.of(name), state);
      }
    }
  }

  private void run(String key, String program, List<String> arguments, ClusterState state) {
    if (!program.isEmpty()) {
      programs.run(
          new BackgroundPrograms.Program(key, program, arguments, environment(state), TIMEOUT));
    }
  }

  private static Map<String, String> environment(ClusterState state) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("PATH", PATH);
    environment.put("SLURM_CONF", state.config().path());
    environment.put("SLURM_CLUSTER_NAME", state.settings().controller().clusterName());
    return environment;
  }

  /**
   * Runs nothing any more. The program for the end of the leadership is begun and not waited for.
   *
   * @param state as it was at last
   */
  public void close(ClusterState state) {
    String program = state.settings().programs().primaryOff();
    if (leads.getCount() == 0 && !program.isEmpty()) {
      ProcessBuilder builder =
          new ProcessBuilder(program)
              .directory(new File("/"))
              .redirectInput(new File("/dev/null"))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      builder.environment().clear();
      builder.environment().putAll(environment(state));
      try {
        builder.start();
      } catch (IOException e) {
        log.error("SlurmctldPrimaryOffProg could not be run: " + e.getMessage());
      }
    }
    close();
  }

  @Override
  public void close() {
    powers.close();
    mail.close();
    programs.close();
  }
}
