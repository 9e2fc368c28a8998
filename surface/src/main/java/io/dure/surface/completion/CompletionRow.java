package io.dure.surface.completion;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * A line of a file of JobCompType, read.
 *
 * @param values by the names that the line gives them: {@code JobId}, or {@code jobid} in JSON
 */
public record CompletionRow(Map<String, String> values) {
  /** In the order of a line of text, so that a name that holds an equals sign is no field. */
  private static final List<String> KEYS =
      List.of(
          "JobId",
          "UserId",
          "GroupId",
          "Name",
          "JobState",
          "Partition",
          "TimeLimit",
          "StartTime",
          "EndTime",
          "NodeList",
          "NodeCnt",
          "ProcCnt",
          "WorkDir",
          "ReservationName",
          "Tres",
          "Account",
          "QOS",
          "WcKey",
          "Cluster",
          "SubmitTime",
          "EligibleTime",
          "ArrayJobId",
          "ArrayTaskId",
          "HetJobId",
          "HetJobOffset",
          "DerivedExitCode",
          "ExitCode");

  /** Behind it stand the keys that not each line has. */
  private static final int LAST_OF_ALL = KEYS.indexOf("EligibleTime");

  public CompletionRow {
    values = Map.copyOf(values);
  }

  /** What a line says; null where it is none of such a file. */
  public static @Nullable CompletionRow parse(String line) {
    return line.startsWith("{") ? document(line) : text(line);
  }

  private static @Nullable CompletionRow text(String line) {
    if (!line.startsWith("JobId=")) {
      return null;
    }
    // From the end: what users choose, a name or a directory, may look like the keys behind it.
    Map<String, String> values = new LinkedHashMap<>();
    int end = line.length();
    int common = line.lastIndexOf(" EligibleTime=");
    for (String key : KEYS.reversed()) {
      String word = key.equals("JobId") ? "JobId=" : " " + key + "=";
      int at = key.equals("JobId") ? 0 : line.lastIndexOf(word, end - word.length());
      if (at >= 0 && (KEYS.indexOf(key) <= LAST_OF_ALL || at > common)) {
        values.put(key, line.substring(Math.min(end, at + word.length()), end));
        end = at;
      }
    }
    return new CompletionRow(values);
  }

  private static @Nullable CompletionRow document(String line) {
    Map<String, String> values = new LinkedHashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
      int depth = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isStructStart()) {
          depth++;
        } else if (token.isStructEnd()) {
          depth--;
        } else if (token.isScalarValue() && depth == 1 && parser.currentName() != null) {
          values.put(parser.currentName(), parser.getString());
        }
      }
    } catch (StreamReadException e) {
      return null; // a line that was cut off
    }
    return values.containsKey("jobid") ? new CompletionRow(values) : null;
  }

  /** The value of a key of text, or of a member of JSON; empty for none. */
  String value(String key, String member) {
    String text = values.get(key);
    return text != null ? text : values.getOrDefault(member, "");
  }

  private static String inBrackets(String text) {
    int open = text.lastIndexOf('(');
    return open < 0 || !text.endsWith(")") ? "" : text.substring(open + 1, text.length() - 1);
  }

  private static String beforeBrackets(String text) {
    int open = text.lastIndexOf('(');
    return open < 0 ? text : text.substring(0, open);
  }

  /** The job's number. */
  public String jobId() {
    return value("JobId", "jobid");
  }

  /** The login name of its owner. */
  public String user() {
    return beforeBrackets(value("UserId", "username"));
  }

  /** The number of its owner. */
  public String uid() {
    return values.containsKey("UserId") ? inBrackets(value("UserId", "")) : value("", "user_id");
  }

  /** The name of its group. */
  String group() {
    return beforeBrackets(value("GroupId", "groupname"));
  }

  /** The number of its group. */
  String gid() {
    return values.containsKey("GroupId") ? inBrackets(value("GroupId", "")) : value("", "group_id");
  }

  /** Its partition. */
  public String partition() {
    return value("Partition", "partition");
  }

  /** How it ended, by Slurm's word. */
  public String state() {
    return value("JobState", "state");
  }

  /** When it ended, as the file has it. */
  public String end() {
    return value("EndTime", "@end");
  }

  /** Its name. */
  public String name() {
    return value("Name", "job_name");
  }
}
