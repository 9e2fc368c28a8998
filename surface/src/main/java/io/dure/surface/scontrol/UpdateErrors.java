package io.dure.surface.scontrol;

import io.dure.surface.message.CommandException;

/** The failures of settings that cannot be read; nothing is sent then. */
final class UpdateErrors {

  private UpdateErrors() {}

  /** A word that is no setting, or whose value makes no sense. */
  static CommandException input(String word) {
    return CommandException.plain("Invalid input: " + word, "Request aborted");
  }

  /** A value that the key cannot have. */
  static CommandException value(String key, String value) {
    return CommandException.error("Invalid " + key + " value: " + value);
  }

  /** A key that does not exist. */
  static CommandException unknown(String word) {
    return CommandException.plain(
        "Update of this parameter is not supported: " + word, "Request aborted");
  }

  /** Nothing that could be changed was named. */
  static CommandException noEntity(String verb) {
    return CommandException.plain(
        "No valid entity in " + verb + " command",
        "Input line must include \"NodeName\", \"PartitionName\", \"Reservation\", \"JobId\", or"
            + " \"SlurmctldDebug\"");
  }

  /** Only the entity was named. */
  static CommandException noChange() {
    return CommandException.plain("No changes specified");
  }
}
