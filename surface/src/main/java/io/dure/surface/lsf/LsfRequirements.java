package io.dure.surface.lsf;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code bsub -R} asks for.
 *
 * @param words options of {@code sbatch}
 * @param passedOver what has no equal
 */
record LsfRequirements(List<String> words, List<String> passedOver) {
  private static final Pattern SECTION = Pattern.compile("(\\w+)\\s*\\[([^\\]]*)]");

  static LsfRequirements of(String text) throws LsfFault {
    LsfRequirements found = new LsfRequirements(new ArrayList<>(), new ArrayList<>());
    Matcher matcher = SECTION.matcher(text);
    boolean any = false;
    while (matcher.find()) {
      any = true;
      String section = matcher.group(1);
      String inside = matcher.group(2).strip();
      switch (section) {
        case "rusage" -> found.usage(inside);
        case "span" -> found.span(inside);
        default -> found.passedOver.add("-R " + section + "[" + inside + "]");
      }
    }
    if (!any && !text.isBlank()) {
      found.passedOver.add("-R " + text.strip());
    }
    return found;
  }

  /** {@code mem=4GB:ngpus_physical=2}. */
  private void usage(String inside) throws LsfFault {
    for (String one : inside.split("[:,]", -1)) {
      int equals = one.indexOf('=');
      String name = equals < 0 ? one.strip() : one.substring(0, equals).strip();
      String value = equals < 0 ? "" : one.substring(equals + 1).strip();
      switch (name) {
        case "mem" -> words.add("--mem=" + LsfQuantity.mib(value, 'M') + "M");
        case "tmp" -> words.add("--tmp=" + LsfQuantity.mib(value, 'M') + "M");
        case "ngpus_physical", "ngpus_excl_p", "ngpus_shared", "ngpus" ->
            words.add("--gpus-per-node=" + LsfQuantity.number(inside, value));
        // How long it is reserved, and how much of it by then, is the job's whole time and all.
        case "", "duration", "decay" -> {}
        default -> passedOver.add("-R rusage[" + one.strip() + "]");
      }
    }
  }

  /** {@code hosts=1} or {@code ptile=4}. */
  private void span(String inside) throws LsfFault {
    int equals = inside.indexOf('=');
    String name = equals < 0 ? inside : inside.substring(0, equals).strip();
    String value = equals < 0 ? "" : inside.substring(equals + 1).strip();
    switch (name) {
      case "hosts" -> {
        if (!value.equals("-1")) {
          words.add("--nodes=" + LsfQuantity.number(inside, value));
        }
      }
      case "ptile" -> words.add("--ntasks-per-node=" + LsfQuantity.number(inside, value));
      default -> passedOver.add("-R span[" + inside + "]");
    }
  }
}
