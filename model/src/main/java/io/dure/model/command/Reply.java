package io.dure.model.command;

import io.dure.model.ErrorCode;
import java.util.List;

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

  /** A reservation was made under this name. */
  record Reserved(String name) implements Reply {
    static final String TAG = "Reserved";
  }

  /**
   * No.
   *
   * @param code Slurm's code and text
   * @param detail a line more for people, empty where the code says it all
   */
  record Refused(ErrorCode code, String detail) implements Reply {
    static final String TAG = "Refused";
  }

  /**
   * Of many jobs those that are not named here were cancelled or signalled.
   *
   * @param failures the others
   * @param next with a filter: jobs of higher ids are left for another request; 0 if none are
   */
  record Killed(List<KillFailure> failures, int next) implements Reply {
    static final String TAG = "Killed";
  }

  /**
   * A job that was not cancelled or signalled.
   *
   * @param place of what was named, from 0; -1 where a filter said which
   * @param job its id in words
   */
  record KillFailure(int place, String job, ErrorCode code) {}
}
