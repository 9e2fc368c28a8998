package io.dure.e2e.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A record as {@code scontrol -o show} prints it, for instance of a job or a node. */
public record Shown(Map<String, String> fields) {
  /** A value may hold blanks; the next field begins with a capital letter and has no blank. */
  private static final Pattern FIELD =
      Pattern.compile("(?:^|\\s)([A-Z][A-Za-z/:_]*)=(.*?)(?=\\s+[A-Z][A-Za-z/:_]*=|\\s*$)");

  public static Shown parse(String line) {
    Map<String, String> fields = new LinkedHashMap<>();
    Matcher matcher = FIELD.matcher(line);
    while (matcher.find()) {
      fields.putIfAbsent(matcher.group(1), matcher.group(2));
    }
    return new Shown(fields);
  }

  /** The value of a field; fails when there is none. */
  public String get(String field) {
    String value = fields.get(field);
    if (value == null) {
      throw new AssertionError("no field " + field + " in " + fields);
    }
    return value;
  }

  /** Whether a job is in that state. */
  public boolean is(String state) {
    return get("JobState").equals(state);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String field :
        new String[] {"JobId", "NodeName", "JobState", "State", "Reason", "ExitCode", "NodeList"}) {
      String value = fields.get(field);
      if (value != null) {
        text.append(field).append('=').append(value).append(' ');
      }
    }
    return text.toString();
  }
}
