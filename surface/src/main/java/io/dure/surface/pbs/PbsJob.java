package io.dure.surface.pbs;

import io.dure.surface.message.CommandException;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.OptionSpec;
import io.dure.surface.option.ParsedOption;
import io.dure.surface.value.WallClock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job as options of {@code qsub} describe it; those that come later replace those before. For one
 * thread.
 */
public final class PbsJob {
  private static final int LATEST_NICE = 1024;

  private final WallClock clock;
  private final PbsResources resources = new PbsResources();
  private final Map<QsubOption, String> values = new LinkedHashMap<>();
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private final List<String> variables = new ArrayList<>();
  private final List<String> passedOver = new ArrayList<>();

  /** One of which nothing is said yet; times of day are read by a clock. */
  public PbsJob(WallClock clock) {
    this.clock = clock;
  }

  /**
   * Takes the options of a line.
   *
   * @return the words that are no options
   */
  public List<String> take(List<String> words) throws CommandException {
    OptionParser<QsubOption> parser =
        new OptionParser<>(
            "qsub",
            OptionSpec.table(QsubOption.values()),
            OptionParser.Operands.END_OPTIONS,
            words);
    for (ParsedOption<QsubOption> option : parser.all()) {
      set(option.key(), option.value());
    }
    return parser.operands();
  }

  /** Sets an option. */
  public void set(QsubOption key, @Nullable String given) {
    String value = Objects.requireNonNullElse(given, "");
    switch (key) {
      case RESOURCES -> resources.add(value);
      case ATTRIBUTES -> attributes(value);
      case VARIABLES -> variables.add(value);
      default -> values.put(key, value);
    }
  }

  /** {@code depend=afterok:1,afterany:2,block=true}: what has no name belongs to the one before. */
  private void attributes(String list) {
    String last = "";
    for (String word : list.split(",", -1)) {
      int equals = word.indexOf('=');
      if (equals < 0) {
        attributes.merge(last, word, (before, more) -> before + "," + more);
      } else {
        last = word.substring(0, equals);
        attributes.put(last, word.substring(equals + 1));
      }
    }
  }

  /** Whether an option was given. */
  public boolean has(QsubOption key) {
    return values.containsKey(key);
  }

  /** The argument of an option, empty where it was not given. */
  public String value(QsubOption key) {
    return values.getOrDefault(key, "");
  }

  /** Whether a shell is wanted, not a script run. */
  public boolean isInteractive() {
    return has(QsubOption.INTERACTIVE) || isTrue("interactive");
  }

  /** What the options ask for that has no equal here; complete once the words were made. */
  public List<String> passedOver() {
    List<String> all = new ArrayList<>(passedOver);
    resources.unknown().forEach(one -> all.add("-l " + one));
    return all;
  }

  /** The options of {@code sbatch} for a batch job. */
  public List<String> batchWords() throws CommandException {
    List<String> words = directiveWords();
    words.removeIf(word -> word.startsWith("--output=") || word.startsWith("--error="));
    outputs(words, true);
    if (variables.isEmpty()) {
      words.add("--export=ALL");
    }
    return words;
  }

  /** The same of the lines of a script alone: what they do not name is as {@code sbatch} has it. */
  public List<String> directiveWords() throws CommandException {
    List<String> words = words();
    outputs(words, false);
    array(words);
    if (!variables.isEmpty()) {
      words.add("--export=ALL," + String.join(",", variables));
    }
    if (has(QsubOption.RERUNNABLE)) {
      words.add(value(QsubOption.RERUNNABLE).startsWith("n") ? "--no-requeue" : "--requeue");
    }
    if (isTrue("block")) {
      words.add("--wait");
    }
    return words;
  }

  /** The options that ask for resources, for a batch job and an allocation. */
  public List<String> words() throws CommandException {
    passedOver.clear();
    List<String> words = new ArrayList<>(resources.words());
    text(words, QsubOption.NAME, "--job-name=");
    text(words, QsubOption.ACCOUNT, "--account=");
    String queue = value(QsubOption.QUEUE);
    String partition = queue.contains("@") ? queue.substring(0, queue.indexOf('@')) : queue;
    if (!partition.isEmpty()) {
      words.add("--partition=" + partition);
    }
    if (has(QsubOption.BEGIN)) {
      words.add("--begin=" + PbsDateTime.of(value(QsubOption.BEGIN), clock));
    }
    text(words, QsubOption.ROOT_DIRECTORY, "--chdir=");
    text(words, QsubOption.DIRECTORY, "--chdir=");
    text(words, QsubOption.WORK_DIRECTORY, "--chdir=");
    text(words, QsubOption.PROJECT, "--wckey=");
    if (has(QsubOption.HOLD)) {
      words.add("--hold");
    }
    mail(words);
    priority(words);
    attributeWords(words);
    if (has(QsubOption.USERS)) {
      passedOver.add("-u " + value(QsubOption.USERS));
    }
    return words;
  }

  private void text(List<String> words, QsubOption key, String option) {
    if (!value(key).isEmpty()) {
      words.add(option + value(key));
    }
  }

  private void mail(List<String> words) {
    if (has(QsubOption.MAIL_EVENTS)) {
      List<String> types = new ArrayList<>();
      String letters = value(QsubOption.MAIL_EVENTS);
      if (letters.contains("b")) {
        types.add("BEGIN");
      }
      if (letters.contains("e")) {
        types.add("END");
      }
      if (letters.contains("a")) {
        types.add("FAIL");
      }
      words.add("--mail-type=" + (types.isEmpty() ? "NONE" : String.join(",", types)));
    }
    text(words, QsubOption.MAIL_USERS, "--mail-user=");
  }

  /** Users may put their jobs back, not forward. */
  private void priority(List<String> words) {
    String value = value(QsubOption.PRIORITY);
    if (value.startsWith("-")) {
      words.add("--nice=" + value.substring(1));
    } else if (!value.isEmpty() && !value.equals("0")) {
      passedOver.add("-p " + value + " (up to -" + LATEST_NICE + " puts a job back)");
    }
  }

  private void attributeWords(List<String> words) throws CommandException {
    for (Map.Entry<String, String> one : attributes.entrySet()) {
      String value = one.getValue();
      switch (one.getKey()) {
        case "depend" -> words.add("--dependency=" + PbsDependency.of(value));
        case "x" -> {
          if (value.toUpperCase(Locale.ROOT).startsWith("FLAGS:ADVRES:")) {
            words.add("--reservation=" + value.substring("FLAGS:ADVRES:".length()));
          } else {
            passedOver.add("-W x=" + value);
          }
        }
        // Files are where they are, and a job has its user's groups and mask.
        case "block", "interactive", "group_list", "umask", "sandbox", "run_count" -> {}
        default -> passedOver.add("-W " + one.getKey() + "=" + value);
      }
    }
  }

  private boolean isTrue(String attribute) {
    return "true".equalsIgnoreCase(attributes.get(attribute));
  }

  private boolean isArray() {
    return has(QsubOption.ARRAY) || has(QsubOption.TASKS);
  }

  private void array(List<String> words) {
    if (isArray()) {
      words.add("--array=" + value(has(QsubOption.ARRAY) ? QsubOption.ARRAY : QsubOption.TASKS));
    }
  }

  /**
   * {@code NAME.oID} and {@code NAME.eID}, as PBS has it, unless they are named or joined.
   *
   * @param all whether those that are not named count
   */
  private void outputs(List<String> words, boolean all) {
    String join = value(QsubOption.JOIN);
    QsubOption first = join.equals("eo") ? QsubOption.ERROR : QsubOption.OUTPUT;
    if (all || has(first)) {
      words.add("--output=" + path(value(first), first == QsubOption.ERROR ? "e" : "o"));
    }
    boolean joined = join.equals("oe") || join.equals("eo") || join.equals("y");
    if (!joined && (all || has(QsubOption.ERROR))) {
      words.add("--error=" + path(value(QsubOption.ERROR), "e"));
    }
  }

  private String path(String named, String letter) {
    String own = "%x." + letter + (isArray() ? "%A-%a" : "%j");
    int slash = named.indexOf('/');
    int colon = named.indexOf(':');
    boolean ofHost = colon >= 0 && (slash < 0 || colon < slash);
    String path = ofHost ? named.substring(colon + 1) : named;
    if (path.isEmpty() || path.endsWith("/")) {
      return path + own;
    }
    return path.replace("${PBS_JOBID}", "%j")
        .replace("$PBS_JOBID", "%j")
        .replace("${PBS_JOBNAME}", "%x")
        .replace("$PBS_JOBNAME", "%x")
        .replace("${PBS_ARRAYID}", "%a")
        .replace("$PBS_ARRAYID", "%a")
        .replace("$PBS_ARRAY_INDEX", "%a")
        .replace("^array_index^", "%a");
  }
}
