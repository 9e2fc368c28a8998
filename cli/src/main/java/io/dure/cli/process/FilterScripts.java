package io.dure.cli.process;

import io.dure.host.config.LocalConfigSource;
import io.dure.host.lua.LuaBounds;
import io.dure.host.lua.LuaProgram;
import io.dure.host.lua.LuaScript;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.slf4j.helpers.NOPLogger;

/** The script of {@code CliFilterPlugins=lua}. */
public final class FilterScripts {
  private static final String FILE = "cli_filter.lua";

  private FilterScripts() {}

  /** Whether a configuration has commands run the script. */
  public static boolean isAsked(Path config) {
    try {
      String text =
          new String(Files.readAllBytes(config), StandardCharsets.ISO_8859_1)
              .toLowerCase(Locale.ROOT);
      if (!text.contains("clifilterplugins") && !text.contains("include")) {
        // Most configurations: what commands pay for nothing must cost nothing.
        return false;
      }
    } catch (IOException e) {
      return false;
    }
    ParsedConfig parsed = SlurmConfParser.parse(config.toString(), new LocalConfigSource());
    return parsed.errors().isEmpty() && parsed.config().settings().rules().luaFilter();
  }

  /**
   * The script beside a configuration, in the surroundings of a caller with this process's user.
   *
   * @param terminal whether standard input of this process is the caller's terminal
   */
  public static LuaScript beside(
      Path config, Map<String, String> environment, Path directory, boolean terminal) {
    return new LuaScript(
        new LuaProgram(
            config.resolveSibling(FILE),
            FILE,
            LuaBounds.OF_COMMAND,
            Map.of(),
            environment,
            directory,
            terminal),
        NOPLogger.NOP_LOGGER);
  }
}
