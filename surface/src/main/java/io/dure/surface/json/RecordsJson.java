package io.dure.surface.json;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A document of records that are printed as text: each {@code KEY=VALUE} is a member of its record.
 */
public final class RecordsJson {
  private static final Pattern SETTING =
      Pattern.compile("([\\w/:\\[\\]]+)=(.*?)(?= [\\w/:\\[\\]]+=|$)");
  private static final String ASSIGNED = " = ";

  private RecordsJson() {}

  /**
   * Writes records.
   *
   * @param list what they are called
   * @param text the records, each on a line, or on lines of which all but the first are indented
   */
  public static void print(JsonTarget target, String list, String text) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().list(list);
      boolean open = false;
      for (String line : text.lines().toList()) {
        boolean goesOn = open && line.startsWith(" ");
        if (open && !goesOn) {
          json.endObject();
        }
        if (line.isBlank()) {
          open = false;
          continue;
        }
        if (!goesOn) {
          json.object();
        }
        members(json, line.strip());
        open = true;
      }
      if (open) {
        json.endObject();
      }
      json.endList();
      JsonEnvelope.end(json, "");
    }
  }

  private static void members(SlurmJsonWriter json, String line) {
    int assigned = line.indexOf(ASSIGNED);
    if (assigned > 0) {
      json.text("name", line.substring(0, assigned).strip());
      json.text("value", line.substring(assigned + ASSIGNED.length()));
      return;
    }
    Matcher setting = SETTING.matcher(line);
    boolean any = false;
    while (setting.find()) {
      json.text(setting.group(1), setting.group(2).strip());
      any = true;
    }
    if (!any) {
      json.text("name", line);
    }
  }
}
