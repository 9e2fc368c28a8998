package io.dure.surface.lsf;

import io.dure.surface.value.WallClock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job as options of {@code bsub} describe it; those that come later replace those before. For one
 * thread.
 */
public final class LsfJob {
  private final WallClock clock;
  private final Map<BsubOption, String> values = new LinkedHashMap<>();
  private final List<String> requirements = new ArrayList<>();
  private final List<String> passedOver = new ArrayList<>();

  /** One of which nothing is said yet; times of day are read by a clock. */
  public LsfJob(WallClock clock) {
    this.clock = clock;
  }

  /**
   * Takes the options of a line.
   *
   * @return the words behind them
   */
  public List<String> take(List<String> words) throws LsfFault {
    BsubOption.Line line = BsubOption.line(words);
    for (Map.Entry<BsubOption, String> one : line.options()) {
      if (one.getKey() == BsubOption.REQUIREMENTS) {
        requirements.add(one.getValue());
      } else {
        values.put(one.getKey(), one.getValue());
      }
    }
    return line.operands();
  }

  /** Whether an option was given. */
  public boolean has(BsubOption key) {
    return values.containsKey(key);
  }

  /** The argument of an option, empty where it was not given. */
  public String value(BsubOption key) {
    return values.getOrDefault(key, "");
  }

  /** Whether the caller waits with its terminal. */
  public boolean isInteractive() {
    return has(BsubOption.INTERACTIVE) || hasTerminal();
  }

  /** Whether a terminal is made for it. */
  public boolean hasTerminal() {
    return has(BsubOption.INTERACTIVE_PTY) || has(BsubOption.INTERACTIVE_SHELL);
  }

  /** What has no equal here; complete once the words were made. */
  public List<String> passedOver() {
    return passedOver;
  }

  /** The options of {@code sbatch}. */
  public List<String> batchWords() throws LsfFault {
    List<String> words = words();
    LsfJobName name = LsfJobName.of(value(BsubOption.NAME));
    boolean array = !name.array().isEmpty();
    if (array) {
      words.add("--array=" + name.array());
    }
    String output = path(BsubOption.OUTPUT, BsubOption.OUTPUT_OVER, array, "out");
    String error = path(BsubOption.ERROR, BsubOption.ERROR_OVER, array, "err");
    if (!output.isEmpty()) {
      words.add("--output=" + output);
    }
    if (!error.isEmpty()) {
      words.add("--error=" + error);
    }
    if (!output.isEmpty() || !error.isEmpty()) {
      boolean over = has(BsubOption.OUTPUT_OVER) || has(BsubOption.ERROR_OVER);
      words.add("--open-mode=" + (over ? "truncate" : "append"));
    }
    text(words, BsubOption.INPUT, "--input=");
    if (has(BsubOption.RERUNNABLE) || has(BsubOption.NOT_RERUNNABLE)) {
      words.add(has(BsubOption.RERUNNABLE) ? "--requeue" : "--no-requeue");
    }
    if (has(BsubOption.WAIT)) {
      words.add("--wait");
    }
    if (has(BsubOption.ENVIRONMENT)) {
      String list = value(BsubOption.ENVIRONMENT).replaceAll("\\s*,\\s*", ",");
      boolean all = list.equals("all") || list.startsWith("all,");
      words.add(
          "--export=" + (all ? "ALL" + list.substring(3) : list.replaceFirst("^none$", "NONE")));
    }
    return words;
  }

  /** The options that ask for resources, for a batch job and a step. */
  public List<String> words() throws LsfFault {
    passedOver.clear();
    List<String> words = new ArrayList<>();
    if (has(BsubOption.TASKS)) {
      String least = value(BsubOption.TASKS).split(",", -1)[0];
      words.add("--ntasks=" + LsfQuantity.number(value(BsubOption.TASKS), least));
    }
    for (String one : requirements) {
      LsfRequirements found = LsfRequirements.of(one);
      words.addAll(found.words());
      passedOver.addAll(found.passedOver());
    }
    if (has(BsubOption.MEMORY) && words.stream().noneMatch(word -> word.startsWith("--mem="))) {
      words.add("--mem=" + LsfQuantity.mib(value(BsubOption.MEMORY), 'K') + "M");
    }
    BsubOption limit = has(BsubOption.RUN_LIMIT) ? BsubOption.RUN_LIMIT : BsubOption.CPU_LIMIT;
    if (has(limit)) {
      words.add("--time=" + LsfQuantity.limit(value(limit)));
    }
    gpus(words);
    place(words);
    if (has(BsubOption.BEGIN)) {
      words.add("--begin=" + LsfQuantity.time(value(BsubOption.BEGIN), clock));
    }
    if (has(BsubOption.DEADLINE)) {
      words.add("--deadline=" + LsfQuantity.time(value(BsubOption.DEADLINE), clock));
    }
    if (has(BsubOption.DEPENDENCY)) {
      words.add("--dependency=" + LsfDependency.of(value(BsubOption.DEPENDENCY)));
    }
    if (has(BsubOption.HOLD)) {
      words.add("--hold");
    }
    mail(words);
    others();
    return words;
  }

  private void gpus(List<String> words) throws LsfFault {
    if (!has(BsubOption.GPUS)) {
      return;
    }
    long count = 1;
    for (String one : value(BsubOption.GPUS).split(":", -1)) {
      if (one.startsWith("num=")) {
        count = LsfQuantity.number(one, one.substring(4).split("/", -1)[0]);
      } else if (!one.isEmpty() && !one.equals("-")) {
        passedOver.add("-gpu " + one);
      }
    }
    words.add("--gpus-per-node=" + count);
  }

  private void place(List<String> words) {
    String name = LsfJobName.of(value(BsubOption.NAME)).name();
    if (!name.isEmpty()) {
      words.add("--job-name=" + name);
    }
    if (has(BsubOption.QUEUE)) {
      words.add("--partition=" + value(BsubOption.QUEUE).strip().replaceAll("\\s+", ","));
    }
    if (has(BsubOption.HOSTS)) {
      words.add("--nodelist=" + value(BsubOption.HOSTS).strip().replaceAll("\\s+", ","));
    }
    text(words, BsubOption.PROJECT, "--account=");
    text(words, BsubOption.RESERVATION, "--reservation=");
    text(words, BsubOption.DIRECTORY, "--chdir=");
    text(words, BsubOption.DESCRIPTION, "--comment=");
    if (has(BsubOption.EXCLUSIVE)) {
      words.add("--exclusive");
    }
  }

  private void mail(List<String> words) {
    List<String> types = new ArrayList<>();
    if (has(BsubOption.MAIL_BEGIN)) {
      types.add("BEGIN");
    }
    if (has(BsubOption.MAIL_END)) {
      types.add("END");
    }
    if (!types.isEmpty()) {
      words.add("--mail-type=" + String.join(",", types));
    }
    text(words, BsubOption.MAIL_USER, "--mail-user=");
  }

  private void others() {
    for (BsubOption key : values.keySet()) {
      switch (key) {
        case APPLICATION, PRE_EXECUTION, FILES, PRIORITY -> {
          String form = key.form();
          passedOver.add(form.substring(0, form.length() - 1) + " " + value(key));
        }
        default -> {}
      }
    }
  }

  private void text(List<String> words, BsubOption key, String option) {
    if (!value(key).isEmpty()) {
      words.add(option + value(key));
    }
  }

  private String path(BsubOption append, BsubOption over, boolean array, String ending) {
    String named = value(has(over) ? over : append);
    String job = array ? "%A" : "%j";
    String whole = named.endsWith("/") ? named + "%J" + (array ? "-%I" : "") + "." + ending : named;
    return whole.replace("%J", job).replace("%I", array ? "%a" : "0");
  }
}
