package io.dure.model.command;

import io.dure.model.ErrorCode;

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
}
