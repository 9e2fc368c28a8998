package io.dure.surface.json;

import io.dure.protocol.DureVersion;
import java.util.List;

/** The envelope of every document: meta, errors and warnings. */
public final class JsonEnvelope {

  private JsonEnvelope() {}

  /** Adds what follows the contents, and ends the document. */
  public static void end(SlurmJsonWriter json, String cluster) {
    end(json, cluster, List.of(), List.of());
  }

  /** The same with what went wrong, or may not be as it was meant. */
  public static void end(
      SlurmJsonWriter json,
      String cluster,
      List<DocumentProblem> errors,
      List<DocumentProblem> warnings) {
    DocumentMeta meta = json.target().meta();
    String[] parts = DureVersion.SLURM.split("\\.", -1);
    json.object("meta")
        .object("plugin")
        .text("type", meta.plugin())
        .text("name", meta.pluginName())
        .text("data_parser", json.target().format().name())
        .text("accounting_storage", "")
        .endObject()
        .object("client")
        .text("source", meta.source())
        .text("user", meta.user())
        .text("group", meta.group())
        .endObject()
        .texts("command", meta.command())
        .object("slurm")
        .object("version")
        .text("major", parts[0])
        .text("micro", parts[2])
        .text("minor", parts[1])
        .endObject()
        .text("release", DureVersion.SLURM)
        .text("cluster", cluster)
        .endObject()
        .endObject();
    json.list("errors");
    for (DocumentProblem one : errors) {
      json.object().text("description", one.description());
      if (one.code() != null) {
        json.number("error_number", one.code().number()).text("error", one.code().text());
      }
      json.text("source", one.source()).endObject();
    }
    json.endList().list("warnings");
    for (DocumentProblem one : warnings) {
      json.object().text("description", one.description()).text("source", one.source()).endObject();
    }
    json.endList().endObject();
  }
}
