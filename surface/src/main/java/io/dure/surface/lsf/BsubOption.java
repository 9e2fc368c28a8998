package io.dure.surface.lsf;

import io.dure.surface.option.OptionKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of {@code bsub}, whose names have one dash and any number of letters. */
public enum BsubOption implements OptionKey {
  APPLICATION("-app="),
  BEGIN("-b="),
  MAIL_BEGIN("-B"),
  CORE_LIMIT("-C="),
  CPU_LIMIT("-c="),
  DIRECTORY("-cwd="),
  DATA_LIMIT("-D="),
  ERROR("-e="),
  ERROR_OVER("-eo="),
  PRE_EXECUTION("-E="),
  ENVIRONMENT("-env="),
  FILE_LIMIT("-F="),
  FILES("-f="),
  GPUS("-gpu="),
  GROUP("-G="),
  JOB_GROUP("-g="),
  HOLD("-H"),
  INTERACTIVE("-I"),
  INTERACTIVE_PTY("-Ip"),
  INTERACTIVE_SHELL("-Is"),
  INPUT("-i="),
  NAME("-J="),
  DESCRIPTION("-Jd="),
  WAIT("-K"),
  LOGIN_SHELL("-L="),
  MEMORY("-M="),
  HOSTS("-m="),
  MAIL_END("-N"),
  TASKS("-n="),
  OUTPUT("-o="),
  OUTPUT_OVER("-oo="),
  PROJECT("-P="),
  PROCESS_LIMIT("-p="),
  QUEUE("-q="),
  REQUIREMENTS("-R="),
  RERUNNABLE("-r"),
  NOT_RERUNNABLE("-rn"),
  STACK_LIMIT("-S="),
  PRIORITY("-sp="),
  DEADLINE("-t="),
  THREAD_LIMIT("-T="),
  RESERVATION("-U="),
  MAIL_USER("-u="),
  SWAP_LIMIT("-v="),
  RUN_LIMIT("-W="),
  DEPENDENCY("-w="),
  EXCLUSIVE("-x"),
  HELP("-h"),
  VERSION("-V");

  /**
   * The options of a line, in order, and the words behind them.
   *
   * @param options their arguments, empty for those that take none
   */
  public record Line(List<Map.Entry<BsubOption, String>> options, List<String> operands) {}

  private static final Map<String, BsubOption> BY_NAME = new LinkedHashMap<>();

  static {
    for (BsubOption one : values()) {
      BY_NAME.put(one.word(), one);
    }
    BY_NAME.put("--help", HELP);
  }

  private final String form;

  BsubOption(String form) {
    this.form = form;
  }

  @Override
  public String form() {
    return form;
  }

  boolean takesArgument() {
    return form.endsWith("=");
  }

  private String word() {
    return takesArgument() ? form.substring(0, form.length() - 1) : form;
  }

  /** The options at the begin of these words. */
  public static Line line(List<String> words) throws LsfFault {
    List<Map.Entry<BsubOption, String>> options = new ArrayList<>();
    int at = 0;
    while (at < words.size() && words.get(at).length() > 1 && words.get(at).startsWith("-")) {
      String word = words.get(at++);
      if (word.equals("--")) {
        break;
      }
      BsubOption key = BY_NAME.get(word);
      String value = "";
      if (key == null) {
        key = attached(word);
        if (key == null) {
          throw new LsfFault(word + ": Illegal option");
        }
        value = word.substring(2);
      } else if (key.takesArgument()) {
        if (at >= words.size()) {
          throw new LsfFault(word + ": Option requires an argument");
        }
        value = words.get(at++);
      }
      options.add(Map.entry(key, value));
    }
    return new Line(options, words.subList(at, words.size()));
  }

  /** {@code -n4}. */
  private static @Nullable BsubOption attached(String word) {
    BsubOption key = BY_NAME.get(word.substring(0, 2));
    return key != null && key.takesArgument() ? key : null;
  }
}
