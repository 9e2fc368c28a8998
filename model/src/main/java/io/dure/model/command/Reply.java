package io.dure.model.command;

import io.dure.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a command. */
public sealed interface Reply {

  /** Done, or nothing needed doing. */
  record Done() implements Reply {
    static final String TAG = "Done";
  }

  /** A job was accepted under this id. */
  record Submitted(int jobId) implements Reply {
    static final String TAG = "Submitted";
  }

  /** A step began under this number. */
  record StepCreated(int jobId, int step) implements Reply {
    static final String TAG = "StepCreated";
  }

  /** A reservation was made under this name. */
  record Reserved(String name) implements Reply {
    static final String TAG = "Reserved";
  }

  /**
   * No.
   *
   * @param code Slurm's code and text
   * @param detail a line more for people, empty where the code says it all
   * @param entry which entry of a crontab it is about, from 0; null for none
   */
  record Refused(ErrorCode code, String detail, @Nullable Integer entry) implements Reply {
    static final String TAG = "Refused";

    /** A refusal of what is no crontab. */
    public Refused(ErrorCode code, String detail) {
      this(code, detail, null);
    }

    /** The same, of one entry of a crontab. */
    public Refused of(int place) {
      return new Refused(code, detail, place);
    }
  }

  /**
   * Of many jobs those that are not named here were cancelled or signalled.
   *
   * @param failures the others
   * @param next with a filter: jobs of higher ids are left for another request; 0 if none are
   */
  record Killed(List<KillFailure> failures, int next) implements Reply {
    static final String TAG = "Killed";

    /** Failures that are told to whoever asks again. */
    public static final int REMEMBERED = 100;

    /**
     * What is kept of it to answer whoever asks again: some failures, and those first that are not
     * of jobs that are gone in any case. The ids in words are left out where the places say which.
     */
    public Killed remembered() {
      int real = (int) failures.stream().filter(failure -> !failure.isGone()).count();
      int gone = Math.max(0, REMEMBERED - real);
      real = REMEMBERED;
      List<KillFailure> kept = new ArrayList<>();
      for (KillFailure failure : failures) {
        if (failure.isGone() ? gone-- > 0 : real-- > 0) {
          kept.add(failure.place() < 0 ? failure : failure.withoutWords());
        }
      }
      return new Killed(List.copyOf(kept), next);
    }
  }

  /**
   * A job that was not cancelled or signalled.
   *
   * @param place of what was named, from 0; -1 where a filter said which
   * @param job its id in words; empty in an answer that is given again, where the place says which
   */
  record KillFailure(int place, String job, ErrorCode code) {
    private boolean isGone() {
      return code == ErrorCode.INVALID_JOB_ID || code == ErrorCode.ALREADY_DONE;
    }

    private KillFailure withoutWords() {
      return new KillFailure(place, "", code);
    }
  }
}
