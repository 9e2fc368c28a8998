package io.dure.conventions.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The list of what is allowed to break a rule, which only shrinks.
 *
 * <p>One entry a line: the rule, the subject, the amount, and after {@code #} the reason. An amount
 * that grew, an entry whose amount could be lowered, one that is not needed any more, one without a
 * reason: each is a complaint.
 */
final class Ratchet {
  private record Entry(int amount, int line) {}

  private final TreeMap<String, Entry> entries = new TreeMap<>();
  private final List<String> complaints = new ArrayList<>();

  private Ratchet() {}

  static Ratchet read(String text) {
    Ratchet ratchet = new Ratchet();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (!line.isBlank() && !line.startsWith("#")) {
        ratchet.add(line, number);
      }
    }
    return ratchet;
  }

  private void add(String line, int number) {
    String[] parts = line.split("#(?=\\s)", 2);
    String[] fields = parts[0].strip().split("\\s+", -1);
    if (fields.length != 3 || !fields[2].matches("[1-9][0-9]{0,8}")) {
      complaints.add("exceptions, line " + number + ": not RULE SUBJECT AMOUNT # REASON");
    } else if (parts.length < 2 || parts[1].isBlank()) {
      complaints.add("exceptions, line " + number + ": no reason");
    } else if (entries.put(
            fields[0] + " " + fields[1], new Entry(Integer.parseInt(fields[2]), number))
        != null) {
      complaints.add("exceptions, line " + number + ": listed twice");
    }
  }

  int size() {
    return entries.size();
  }

  /** What is wrong, findings that are not excepted first. */
  List<String> judge(List<Finding> findings) {
    TreeMap<String, List<Finding>> bySubject = new TreeMap<>();
    for (Finding finding : findings) {
      bySubject
          .computeIfAbsent(finding.rule() + " " + finding.subject(), _ -> new ArrayList<>())
          .add(finding);
    }
    List<String> wrong = new ArrayList<>();
    bySubject.forEach((key, found) -> judge(entries.get(key), found, wrong));
    entries.forEach((key, entry) -> {
      if (!bySubject.containsKey(key)) {
        wrong.add("exceptions, line " + entry.line() + ": no longer needed, take it out: " + key);
      }
    });
    wrong.addAll(complaints);
    return wrong;
  }

  private static void judge(Entry entry, List<Finding> found, List<String> wrong) {
    int amount = found.stream().mapToInt(Finding::amount).sum();
    if (entry == null || amount > entry.amount()) {
      found.forEach(finding -> wrong.add(finding.toString()));
    } else if (amount < entry.amount()) {
      wrong.add(
          "exceptions, line "
              + entry.line()
              + ": lower "
              + entry.amount()
              + " to "
              + amount
              + ": "
              + found.getFirst());
    }
  }
}
