package io.dure.cli.scontrol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Records as lists of keys and values, and how the newer release's differ from the captured. */
final class RecordFields {

  private static final Pattern KEY = Pattern.compile("(?:^|\\s)([A-Z][A-Za-z0-9_/:]*)=");

  /** Keys that the newer release has and the captured one had not. */
  private static final Set<String> ADDED =
      Set.of(
          "ReqTRES",
          "AllocTRES",
          "Exclusive",
          "SLUID",
          "SubmitLine",
          "LicensesAlloc",
          "ResumeAfterTime",
          "MaxCPUsPerSocket");

  /** Keys that the captured release had and the newer one has no more. */
  private static final Set<String> DROPPED =
      Set.of(
          "Power",
          "TRES",
          "CapWatts",
          "ExtSensorsJoules",
          "ExtSensorsWatts",
          "ExtSensorsTemp",
          "ExclusiveUser");

  /** A key with its value. */
  record Field(String key, String value) {}

  private RecordFields() {}

  /** The fields of a text in order; a value reaches as far as the next key. */
  static List<Field> parse(String text) {
    List<Field> fields = new ArrayList<>();
    Matcher matcher = KEY.matcher(text);
    String key = null;
    int start = 0;
    while (matcher.find()) {
      if (key != null) {
        fields.add(new Field(key, text.substring(start, matcher.start()).strip()));
      }
      key = matcher.group(1);
      start = matcher.end();
    }
    if (key != null) {
      fields.add(new Field(key, text.substring(start).strip()));
    }
    return fields;
  }

  /**
   * What disagrees, empty if nothing does.
   *
   * @param excused keys of which the value may differ or that may be missing, with the reason
   */
  static List<String> differences(String expected, String actual, Map<String, String> excused) {
    boolean job = expected.startsWith("JobId=");
    List<Field> want = new ArrayList<>(parse(expected));
    List<Field> have = new ArrayList<>(parse(actual));
    want.removeIf(field -> gone(field.key(), job) || excused.containsKey(field.key()));
    Set<String> captured = new TreeSet<>(parse(expected).stream().map(Field::key).toList());
    List<String> differences = new ArrayList<>();
    if (job && !values(expected, "TRES").equals(resources(actual))) {
      differences.add("TRES: " + values(expected, "TRES") + " is " + resources(actual));
    }
    for (Field field : have) {
      if (!captured.contains(field.key())
          && !ADDED.contains(field.key())
          && !excused.containsKey(field.key())) {
        differences.add("not captured: " + field);
      }
    }
    have.removeIf(field -> !captured.contains(field.key()) || excused.containsKey(field.key()));
    for (int i = 0; i < Math.max(want.size(), have.size()); i++) {
      Field wanted = i < want.size() ? want.get(i) : null;
      Field found = i < have.size() ? have.get(i) : null;
      if (wanted == null || !wanted.equals(found)) {
        differences.add("expected " + wanted + ", found " + found);
        return differences;
      }
    }
    return differences;
  }

  private static boolean gone(String key, boolean job) {
    return DROPPED.contains(key) && (job || !key.equals("TRES"));
  }

  /** What was one key is two now: what jobs hold, or ask for while they hold nothing. */
  private static List<String> resources(String text) {
    List<String> asked = values(text, "ReqTRES");
    List<String> held = values(text, "AllocTRES");
    List<String> resources = new ArrayList<>();
    for (int i = 0; i < held.size(); i++) {
      resources.add(held.get(i).equals("(null)") ? asked.get(i) : held.get(i));
    }
    return resources;
  }

  private static List<String> values(String text, String key) {
    return parse(text).stream().filter(f -> f.key().equals(key)).map(Field::value).toList();
  }
}
