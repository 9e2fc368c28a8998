package io.dure.surface.scontrol;

import io.dure.surface.message.CommandException;
import io.dure.surface.scontrol.AbbreviationTable.Entry;
import java.util.List;
import java.util.Locale;

/** The verbs of scontrol, and how many words may follow each. */
public enum ScontrolVerb {
  ABORT(0, 1),
  ADDRESSES(1, 1),
  ALL(0, 0),
  CALLER_ID(4, 5),
  CANCEL_REBOOT(1, 1),
  CLUSTER(0, 1),
  COMPLETING(0, 0),
  CREATE(1, ScontrolVerb.ANY),
  DELETE(1, 2),
  DETAILS(0, 0),
  /** The factor by which usage counts less. */
  DAMPENING(1, 1),
  ENTRIES(0, ScontrolVerb.ANY),
  ERROR_TEXT(1, 1),
  HASH(1, 1),
  HELP(0, 1),
  HIDE(0, 0),
  HOLD(1, ScontrolVerb.ANY),
  HOST(1, 1),
  LIST_JOBS(0, 1),
  LIST_PIDS(0, 2),
  PID_INFO(1, 1),
  LIST_STEPS(0, 1),
  NOTIFY(2, ScontrolVerb.ANY),
  ONELINER(0, 0),
  PING(0, 0),
  POWER(2, ScontrolVerb.ANY),
  QUIET(0, 0),
  QUIT(0, 0),
  REBOOT(1, ScontrolVerb.ANY),
  RECONFIGURE(0, 0),
  RELEASE(1, ScontrolVerb.ANY),
  REQUEUE(1, ScontrolVerb.ANY),
  REQUEUEHOLD(1, ScontrolVerb.ANY),
  RESUME(1, ScontrolVerb.ANY),
  SCHED_LOG_LEVEL(1, 1),
  SET_DEBUG(1, 2),
  SET_DEBUG_FLAGS(1, ScontrolVerb.ANY),
  SHOW(1, 2),
  SHUTDOWN(0, 1),
  SUSPEND(1, ScontrolVerb.ANY),
  TAKEOVER(0, 1),
  TOKEN(0, ScontrolVerb.ANY),
  TOP(1, 1),
  UHOLD(1, ScontrolVerb.ANY),
  UPDATE(1, ScontrolVerb.ANY),
  VERBOSE(0, 0),
  VERSION(0, 0),
  WAIT_JOB(1, 1),
  WRITE(1, 3),
  /** Known to Slurm and refused here. */
  NOT_YET(0, ScontrolVerb.ANY);

  private static final int ANY = Integer.MAX_VALUE;

  private static final AbbreviationTable<ScontrolVerb> WORDS =
      new AbbreviationTable<>(
          List.of(
              new Entry<>("abort", 5, ABORT),
              new Entry<>("all", 3, ALL),
              new Entry<>("callerid", 3, CALLER_ID),
              new Entry<>("cancel_reboot", 3, CANCEL_REBOOT),
              new Entry<>("cluster", 2, CLUSTER),
              new Entry<>("completing", 3, COMPLETING),
              new Entry<>("create", 2, CREATE),
              new Entry<>("details", 1, DETAILS),
              new Entry<>("delete", 3, DELETE),
              new Entry<>("errnumstr", 2, ERROR_TEXT),
              new Entry<>("errnostr", 2, ERROR_TEXT),
              new Entry<>("exit", 1, QUIT),
              new Entry<>("fsdampeningfactor", 3, DAMPENING),
              new Entry<>("getaddrs", 4, ADDRESSES),
              new Entry<>("getent", 6, ENTRIES),
              new Entry<>("gethost", 4, HOST),
              new Entry<>("hash", 4, HASH),
              new Entry<>("hash_file", 6, HASH),
              new Entry<>("help", 2, HELP),
              new Entry<>("hide", 2, HIDE),
              new Entry<>("hold", 3, HOLD),
              new Entry<>("holdu", 5, UHOLD),
              new Entry<>("listjobs", 5, LIST_JOBS),
              new Entry<>("listpids", 1, LIST_PIDS),
              new Entry<>("liststeps", 5, LIST_STEPS),
              new Entry<>("notify", 1, NOTIFY),
              new Entry<>("oneliner", 1, ONELINER),
              new Entry<>("pidinfo", 3, PID_INFO),
              new Entry<>("ping", 3, PING),
              new Entry<>("power", 3, POWER),
              new Entry<>("quiet", 4, QUIET),
              new Entry<>("quit", 4, QUIT),
              new Entry<>("reboot_nodes", 3, REBOOT),
              new Entry<>("reconfigure", 3, RECONFIGURE),
              new Entry<>("release", 3, RELEASE),
              new Entry<>("requeue", 3, REQUEUE),
              new Entry<>("requeuehold", 8, REQUEUEHOLD),
              new Entry<>("resume", 3, RESUME),
              new Entry<>("schedloglevel", 3, SCHED_LOG_LEVEL),
              new Entry<>("setdebug", 2, SET_DEBUG),
              new Entry<>("setdebugflags", 9, SET_DEBUG_FLAGS),
              new Entry<>("show", 3, SHOW),
              new Entry<>("shutdown", 8, SHUTDOWN),
              new Entry<>("suspend", 2, SUSPEND),
              new Entry<>("takeover", 8, TAKEOVER),
              new Entry<>("token", 3, TOKEN),
              new Entry<>("top", 2, TOP),
              new Entry<>("uhold", 2, UHOLD),
              new Entry<>("update", 1, UPDATE),
              new Entry<>("verbose", 4, VERBOSE),
              new Entry<>("version", 4, VERSION),
              new Entry<>("wait_job", 2, WAIT_JOB),
              new Entry<>("write", 5, WRITE)));

  private final int least;
  private final int most;

  ScontrolVerb(int least, int most) {
    this.least = least;
    this.most = most;
  }

  /**
   * What a line of words asks for.
   *
   * @param words at least one
   * @throws CommandException if that is nothing known, or too many or too few words follow
   */
  public static ScontrolVerb of(List<String> words) throws CommandException {
    String word = words.getFirst();
    ScontrolVerb verb = WORDS.find(word);
    if (verb == null) {
      throw CommandException.plain("invalid keyword: " + word);
    }
    if (verb == ERROR_TEXT && words.size() != 2) {
      throw CommandException.plain("one arguments required for keyword:" + word);
    }
    if (words.size() - 1 > verb.most) {
      throw CommandException.plain("too many arguments for keyword:" + word);
    }
    if (words.size() - 1 < verb.least) {
      throw CommandException.plain(
          verb == PID_INFO
              ? "missing argument for keyword:" + word
              : verb == UPDATE || verb == CREATE || verb == DELETE
                  ? "too few arguments for " + verb.name().toLowerCase(Locale.ROOT) + " keyword"
                  : "too few arguments for keyword:" + word);
    }
    return verb;
  }
}
