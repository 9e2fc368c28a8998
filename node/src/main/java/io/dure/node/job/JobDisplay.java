package io.dure.node.job;

import io.dure.host.process.ProcFs;
import io.dure.host.user.PasswdEntry;
import io.dure.model.config.step.StepSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A display of this node, by which X clients of a job reach the X server of its user. A process
 * serves it; what it writes into the run's directory is all that is known of it.
 *
 * @param number the display
 * @param xauthority the file that has its cookie
 */
public record JobDisplay(int number, String xauthority) {
  private static final String NAME = "display";
  private static final Pattern OWN_COOKIES = Pattern.compile("/.*/\\.Xauthority-[A-Za-z0-9]{6}");
  private static final Pattern LINE = Pattern.compile("(\\d{1,5}) (\\d{1,9}) (\\d{1,19}) (/.*)\n");
  private static final ProcFs PROC = ProcFs.ofThisMachine();

  /** How {@code DISPLAY} names it. */
  public String name() {
    return "localhost:" + number + ".0";
  }

  /**
   * What the process is told that serves one, beside its user.
   *
   * @param runDirectory of the run in the spool
   * @param step the one whose display it is, null for the job's
   * @param space the job's mount namespace, null for none
   */
  public static List<String> words(
      PasswdEntry user,
      NodeLocalConfig setup,
      Path runDirectory,
      @Nullable Integer step,
      @Nullable Path space) {
    StepSettings.Displays displays = setup.settings().steps().displays();
    boolean home = displays != null && displays.home();
    List<String> words = new ArrayList<>();
    words.add(record(runDirectory, step).toString());
    words.add(home ? "home" : "private");
    words.add(home ? Path.of(user.home(), ".Xauthority").toString() : temporary(setup));
    if (space != null) {
      words.add(space.toString());
    }
    return words;
  }

  private static Path record(Path runDirectory, @Nullable Integer step) {
    return runDirectory.resolve(step == null ? NAME : NAME + "." + step);
  }

  private static String temporary(NodeLocalConfig setup) {
    String place = setup.node().fill(setup.settings().daemon().tmpFs());
    return place.isEmpty() ? "/tmp" : place;
  }

  /** That of a step, or else of its job; null where neither has one. */
  static @Nullable JobDisplay find(Path runDirectory, int step) {
    JobDisplay own = read(record(runDirectory, step));
    return own == null ? read(record(runDirectory, null)) : own;
  }

  private static @Nullable JobDisplay read(Path record) {
    try {
      Matcher line = LINE.matcher(Files.readString(record, StandardCharsets.UTF_8));
      return line.matches()
              && PROC.isAlive(Integer.parseInt(line.group(2)), Long.parseLong(line.group(3)))
          ? new JobDisplay(Integer.parseInt(line.group(1)), line.group(4))
          : null;
    } catch (IOException e) {
      // There is none, or it is not the daemon's.
      return null;
    }
  }

  /**
   * Removes the files of cookies that processes which were killed have left of a run.
   *
   * @throws IOException if one is left
   */
  public static void removeCookies(Path runDirectory) throws IOException {
    try (DirectoryStream<Path> records = Files.newDirectoryStream(runDirectory, NAME + "*")) {
      for (Path record : records) {
        Matcher line = LINE.matcher(Files.readString(record, StandardCharsets.UTF_8));
        if (line.matches() && OWN_COOKIES.matcher(line.group(4)).matches()) {
          Path cookie = Path.of(line.group(4));
          // Its user may have put something else there.
          if (Files.isRegularFile(cookie, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(cookie);
          }
        }
      }
    } catch (NoSuchFileException _) {
      // The run's directory has gone with all that was in it.
    }
  }
}
