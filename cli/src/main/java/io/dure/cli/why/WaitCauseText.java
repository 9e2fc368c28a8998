package io.dure.cli.why;

import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.job.Hold;
import io.dure.model.report.LimitBreach;
import io.dure.model.report.RelatedJob;
import io.dure.model.report.WaitCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The causes that keep a job from starting, as sentences. */
final class WaitCauseText {
  private static final int MOST_NODES = 4;

  private final QuantityText words;
  private final String job;

  WaitCauseText(QuantityText words, String job) {
    this.words = words;
    this.job = job;
  }

  /** What a job waits for, in two or three words. */
  String shortly(WaitCause cause, String reason) {
    return switch (cause) {
      case WaitCause.Held _ -> words.say("for-release");
      case WaitCause.DependsOn depends -> words.say(depends.never() ? "for-nothing" : "for-jobs");
      case WaitCause.BeginsLater _ -> words.say("for-time");
      case WaitCause.MissesDeadline _, WaitCause.NotAllowed _, WaitCause.TooMuch _ ->
          words.say("for-nothing");
      case WaitCause.Throttled _ -> words.say("for-tasks");
      case WaitCause.PartitionClosed _ -> words.say("for-partition");
      case WaitCause.LimitReached _ -> words.say("for-limit");
      case WaitCause.LicensesTaken _ -> words.say("for-licences");
      case WaitCause.ReservedFor _ -> words.say("for-reservation");
      case WaitCause.OwnReservation _ -> words.say("for-own-reservation");
      case WaitCause.NodesClosed _ -> words.say("for-nodes");
      case WaitCause.NoRoom _, WaitCause.Running _, WaitCause.Ahead _, WaitCause.Queue _ ->
          words.say(reason.equals("Priority") ? "for-others" : "for-room");
    };
  }

  /** A cause in a sentence or more. */
  List<String> sentences(WaitCause cause) {
    return switch (cause) {
      case WaitCause.Held(Hold hold) -> List.of(held(hold));
      case WaitCause.DependsOn depends -> depends(depends);
      case WaitCause.BeginsLater(var at, boolean again) ->
          List.of(words.say(again ? "begins-again" : "begins", words.ahead(at)));
      case WaitCause.MissesDeadline(var deadline) ->
          List.of(words.say("deadline", words.time(deadline)));
      case WaitCause.Throttled throttled ->
          List.of(words.say("throttled", throttled.most(), jobs(throttled.running())));
      case WaitCause.PartitionClosed(String partition, var state) ->
          List.of(words.say("closed", partition, state.name()));
      case WaitCause.NotAllowed denied -> List.of(denied(denied));
      case WaitCause.TooMuch much ->
          much.there().isEmpty()
              ? List.of(tooMuch(much))
              : List.of(
                  tooMuch(much),
                  words.say("there-is", QuantityText.name(String.join(", ", much.there()))));
      case WaitCause.LimitReached(LimitBreach breach, _, _, boolean hidden) ->
          List.of(hidden ? words.say("limit-hidden", whose(breach), word(breach)) : limit(breach));
      case WaitCause.LicensesTaken taken -> licences(taken);
      case WaitCause.ReservedFor reserved -> List.of(reserved(reserved));
      case WaitCause.OwnReservation(String name, var start) ->
          List.of(
              name.isEmpty()
                  ? words.say("own-reservation-none")
                  : start == null
                      ? words.say("own-reservation-gone", name)
                      : words.say("own-reservation", name, words.ahead(start)));
      case WaitCause.NodesClosed closed -> closed(closed);
      case WaitCause.NoRoom room -> List.of(room(room));
      case WaitCause.Running(List<RelatedJob> jobs) -> List.of(words.say("running", jobs(jobs)));
      case WaitCause.Ahead(List<RelatedJob> jobs) -> List.of(words.say("ahead", jobs(jobs)));
      case WaitCause.Queue queue -> List.of(words.say("queue", queue.partition(), owners(queue)));
    };
  }

  /** The name of a cause that was explained before. */
  String named(WaitCause cause) {
    return switch (cause) {
      case WaitCause.Held _ -> words.say("name-hold");
      case WaitCause.DependsOn _ -> words.say("name-jobs");
      case WaitCause.BeginsLater _ -> words.say("name-time");
      case WaitCause.Throttled _ -> words.say("name-tasks");
      case WaitCause.PartitionClosed(String partition, _) -> words.say("name-partition", partition);
      case WaitCause.LimitReached(LimitBreach breach, _, _, _) ->
          words.say("name-limit", whose(breach), word(breach));
      case WaitCause.LicensesTaken taken -> words.say("name-licences", taken.name());
      case WaitCause.ReservedFor reserved ->
          reserved.name().isEmpty()
              ? words.say("name-reservation-hidden")
              : words.say("name-reservation", reserved.name());
      case WaitCause.NodesClosed _ -> words.say("name-nodes");
      case WaitCause.MissesDeadline _,
          WaitCause.NotAllowed _,
          WaitCause.TooMuch _,
          WaitCause.OwnReservation _,
          WaitCause.NoRoom _,
          WaitCause.Running _,
          WaitCause.Ahead _,
          WaitCause.Queue _ ->
          sentences(cause).getFirst();
    };
  }

  private String jobs(List<RelatedJob> jobs) {
    List<String> names = new ArrayList<>();
    for (RelatedJob one : jobs) {
      if (!one.word().isEmpty()) {
        names.add(one.word());
      }
    }
    int hidden = jobs.size() - names.size();
    if (hidden > 0) {
      names.add(words.count("others-job", hidden));
    }
    return String.join(", ", names);
  }

  private String owners(WaitCause.Queue queue) {
    return String.join(
        ", ",
        queue.owners().stream()
            .map(one -> one.user().isEmpty() ? words.say("somebodys") : one.user())
            .toList());
  }

  private String held(Hold hold) {
    return switch (hold) {
      case USER -> words.say("held-user", job);
      case ADMIN, NONE -> words.say("held-admin", job);
      case MAX_REQUEUE -> words.say("held-requeued", job);
      case LAUNCH_FAILURE -> words.say("held-launch", job);
      case SPECIAL_EXIT -> words.say("held-exit", job);
      case RESERVATION_DELETED -> words.say("held-reservation", job);
    };
  }

  private List<String> depends(WaitCause.DependsOn depends) {
    List<String> lines = new ArrayList<>();
    if (depends.never()) {
      lines.add(words.say("never", job));
    } else if (depends.any() && depends.targets().size() > 1) {
      lines.add(words.say("any"));
    }
    for (WaitCause.Target one : depends.targets()) {
      String what =
          switch (one.type()) {
            case AFTER -> "after";
            case AFTER_ANY -> "after-any";
            case AFTER_OK -> "after-ok";
            case AFTER_NOT_OK -> "after-not-ok";
            case AFTER_CORR -> "after-corr";
            case SINGLETON -> "singleton";
          };
      String state =
          switch (one.state()) {
            case WAITS -> words.say("it-waits");
            case RUNS ->
                one.until() == null
                    ? words.say("it-runs")
                    : words.say("it-runs-until", words.time(one.until()));
            case SUCCEEDED -> words.say("it-succeeded");
            case FAILED -> words.say("it-failed");
            case GONE -> words.say("it-is-gone");
            case HIDDEN -> words.say("it-is-hidden");
          };
      lines.add(words.say(what, one.word(), state));
    }
    return lines;
  }

  private String denied(WaitCause.NotAllowed denied) {
    String subject =
        denied.name().isEmpty()
            ? words.say("unnamed")
            : words.say(denied.qos() ? "qos" : "account", denied.name());
    return denied.allowed().isEmpty()
        ? words.say("denied", denied.partition(), subject)
        : words.say("denied-but", denied.partition(), subject, String.join(", ", denied.allowed()));
  }

  private String tooMuch(WaitCause.TooMuch much) {
    String kind = QuantityText.name(much.kind());
    return switch (much.what()) {
      case MINUTES ->
          words.say("much-time", much.partition(), minutes(much.most()), minutes(much.asked()));
      case NODES_OF_JOB ->
          words.say(
              much.asked() < much.most() ? "few-nodes" : "much-nodes",
              much.partition(),
              much.most(),
              much.asked());
      case NODES ->
          words.say(
              kind.isEmpty() ? "much-alike" : "much-features",
              much.partition(),
              much.most(),
              much.asked(),
              kind);
      case CPUS_OF_NODE ->
          words.say("much-cpus-of-node", much.partition(), much.most(), much.asked());
      case CPUS -> words.say("much-cpus", much.partition(), much.most(), much.asked());
      case MEMORY_OF_NODE ->
          words.say(
              "much-memory",
              much.partition(),
              words.memory(much.most()),
              words.memory(much.asked()));
      case MEMORY_OF_CPU ->
          words.say(
              "much-memory-of-cpu",
              much.partition(),
              words.memory(much.most()),
              words.memory(much.asked()));
      case GPUS_OF_NODE ->
          words.say(
              much.most() == 0 ? "no-gpus-of-node" : "much-gpus-of-node",
              much.partition(),
              much.most(),
              much.asked(),
              kind);
      case GPUS -> words.say("much-gpus", much.partition(), much.most(), much.asked(), kind);
      case TOGETHER -> words.say("much-together", much.partition());
    };
  }

  private String minutes(long minutes) {
    return minutes < 0 ? words.say("no-limit") : words.length(Duration.ofMinutes(minutes));
  }

  private String limit(LimitBreach breach) {
    LimitKind limit = breach.limit();
    if (limit == null) {
      return words.say("limit-share", whose(breach), QuantityText.number(breach.most()));
    }
    String tres = breach.tres() == null ? "" : breach.tres();
    String most = amount(limit, tres, breach.most());
    String used = amount(limit, tres, breach.used());
    String wanted = amount(limit, tres, breach.wanted());
    String phrase =
        switch (limit) {
          case GRP_JOBS, MAX_JOBS, MAX_JOBS_PER_USER, MAX_JOBS_PER_ACCOUNT -> "limit-jobs";
          case GRP_TRES, MAX_TRES_PER_USER, MAX_TRES_PER_ACCOUNT -> "limit-held";
          case GRP_TRES_MINS, GRP_WALL -> "limit-used-up";
          case GRP_TRES_RUN_MINS,
              MAX_TRES_RUN_MINS,
              MAX_TRES_RUN_MINS_PER_USER,
              MAX_TRES_RUN_MINS_PER_ACCOUNT ->
              "limit-left";
          case MIN_TRES_PER_JOB -> "limit-least";
          case MAX_TRES_PER_JOB,
              MAX_TRES_PER_NODE,
              MAX_TRES_MINS_PER_JOB,
              MAX_WALL,
              GRP_JOBS_ACCRUE,
              MAX_JOBS_ACCRUE,
              MAX_JOBS_ACCRUE_PER_USER,
              MAX_JOBS_ACCRUE_PER_ACCOUNT,
              GRP_SUBMIT_JOBS,
              MAX_SUBMIT_JOBS,
              MAX_SUBMIT_JOBS_PER_USER,
              MAX_SUBMIT_JOBS_PER_ACCOUNT,
              MIN_PRIO_THRESHOLD ->
              "limit-of-job";
        };
    return words.say(phrase, whose(breach), most, used, wanted, limit.word());
  }

  private String amount(LimitKind limit, String tres, double value) {
    String number = QuantityText.number(value);
    return switch (limit.unit()) {
      case COUNT -> number;
      case MINUTES -> words.length(Duration.ofMinutes((long) value));
      case TRES -> unit(tres, value, number);
      case TRES_MINUTES -> words.say("minutes-of", number, unit(tres));
    };
  }

  private String unit(String tres, double value, String number) {
    return tres.equals(TresAmounts.MEMORY) ? words.memory((long) value) : number + " " + unit(tres);
  }

  private String unit(String tres) {
    return switch (tres) {
      case TresAmounts.CPU -> words.say("unit-cpus");
      case TresAmounts.NODE -> words.say("unit-nodes");
      case TresAmounts.MEMORY -> "MiB";
      default ->
          tres.startsWith("gres/gpu")
              ? words.say("unit-gpus")
                  + (tres.startsWith("gres/gpu:")
                      ? " (" + tres.substring("gres/gpu:".length()) + ")"
                      : "")
              : tres;
    };
  }

  private String whose(LimitBreach breach) {
    String user = breach.user();
    if (breach.account() != null) {
      return user == null
          ? words.say("of-account", breach.account())
          : user.isEmpty()
              ? words.say("of-another-user", breach.account())
              : words.say("of-user", user, breach.account());
    }
    String qos = String.valueOf(breach.qos());
    if (user != null) {
      return user.isEmpty()
          ? words.say("of-another-user-in-qos", qos)
          : words.say("of-user-in-qos", user, qos);
    }
    return breach.sharingAccount() == null
        ? words.say("of-qos", qos)
        : words.say("of-account-in-qos", breach.sharingAccount(), qos);
  }

  private static String word(LimitBreach breach) {
    return breach.limit() == null ? breach.reason() : breach.limit().word();
  }

  private List<String> licences(WaitCause.LicensesTaken taken) {
    List<String> lines = new ArrayList<>();
    lines.add(
        words.say(
            taken.kept() > 0 ? "licences-kept" : "licences",
            taken.name(),
            taken.total(),
            taken.held(),
            taken.asked(),
            taken.kept()));
    for (RelatedJob one : taken.jobs()) {
      if (lines.size() <= MOST_NODES) {
        lines.add(
            "  "
                + words.say(
                    one.user().isEmpty() ? "licence-of-another" : "licence-of",
                    one.word().isEmpty() ? words.say("somebodys") : one.word(),
                    one.user(),
                    one.licenses(),
                    words.until(one.until())));
      }
    }
    return lines;
  }

  private String reserved(WaitCause.ReservedFor reserved) {
    if (reserved.name().isEmpty()) {
      return words.say("reserved-hidden");
    }
    return words.say(
        reserved.maintenance() ? "reserved-maintenance" : "reserved",
        reserved.name(),
        words.time(reserved.start()),
        words.time(reserved.end()),
        reserved.nodes());
  }

  private List<String> closed(WaitCause.NodesClosed closed) {
    List<String> lines = new ArrayList<>();
    if (closed.nodes().isEmpty()) {
      return List.of(words.say("nodes-hidden"));
    }
    for (WaitCause.ClosedNode node : closed.nodes()) {
      if (lines.size() == MOST_NODES) {
        break;
      }
      String trouble =
          switch (node.state()) {
            case DOWN -> "down";
            case DRAINED -> "drained";
            case FAILING -> "failing";
            case SILENT -> "silent";
          };
      String since = node.since() == null ? "" : words.say("since", words.time(node.since()));
      String because = node.reason().isEmpty() ? "" : ": " + QuantityText.name(node.reason());
      lines.add(words.say("node-closed", node.name(), words.say(trouble), since, because));
    }
    int more = closed.nodes().size() - lines.size() + closed.others();
    if (more > 0) {
      lines.add(words.say("more-nodes", more));
    }
    return lines;
  }

  private String room(WaitCause.NoRoom room) {
    if (room.nodes() == 0) {
      return words.say("room-hidden", room.partition());
    }
    return room.gpus() > 0
        ? words.say(
            "room-gpus",
            room.partition(),
            room.freeGpus(),
            room.gpus(),
            room.freeCpus(),
            room.cpus(),
            room.nodes())
        : words.say(
            "room", room.partition(), room.freeCpus(), room.cpus(), room.idleNodes(), room.nodes());
  }
}
