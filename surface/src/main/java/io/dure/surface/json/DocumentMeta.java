package io.dure.surface.json;

import java.util.List;
import java.util.Map;

/**
 * What a document says of its making: the plugin of Slurm that would make it, and for which client.
 *
 * @param plugin kind of the plugin, such as {@code openapi/slurmctld}, empty for a command
 * @param pluginName its name for people
 * @param source where the client is, such as {@code [127.0.0.1]:41234}, empty for a command
 * @param user name of the client's user
 * @param group name of that one's group, may be empty
 * @param command the words of the call, the program first, none over REST
 */
public record DocumentMeta(
    String plugin,
    String pluginName,
    String source,
    String user,
    String group,
    List<String> command) {

  /**
   * That of a command.
   *
   * @param environment of which {@code USER} says whose call it is
   */
  public static DocumentMeta ofCommand(Map<String, String> environment, List<String> words) {
    return new DocumentMeta("", "", "", environment.getOrDefault("USER", ""), "", words);
  }
}
