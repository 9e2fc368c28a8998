package io.dure.cli.scontrol;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a real Slurm 22.05.8 printed, with its commands and exit codes. */
final class Captures {

  private Captures() {}

  /**
   * A captured call.
   *
   * @param words the command line
   * @param exitCode its exit code
   * @param out standard output
   * @param err standard error
   */
  record Call(List<String> words, int exitCode, String out, String err) {}

  /** The call of that name. */
  static Call call(String name) {
    for (String line : text("ADMIN.tsv").split("\n", -1)) {
      String[] cells = line.split("\t", -1);
      if (cells[0].equals(name)) {
        List<String> words = List.of(cells[3].strip().replace("\\", "").split(" ", -1));
        int code = Integer.parseInt(cells[2]);
        return new Call(words, code, text(name + ".out"), text(name + ".err"));
      }
    }
    throw new IllegalArgumentException("no capture " + name);
  }

  /** The record of that job among all. */
  static Call job(int id) {
    for (String record : text("scontrol/jobs_all.out").split("\n\n", -1)) {
      if (record.startsWith("JobId=" + id + " ")) {
        List<String> words = new ArrayList<>(List.of("scontrol", "show", "job"));
        words.add(Integer.toString(id));
        return new Call(words, 0, record + "\n\n", "");
      }
    }
    throw new IllegalArgumentException("no job " + id);
  }

  /** A file's text, empty where nothing was captured. */
  private static String text(String name) {
    try (InputStream in = Captures.class.getResourceAsStream("/captures/" + name)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
