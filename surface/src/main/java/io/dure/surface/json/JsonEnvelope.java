package io.dure.surface.json;

import io.dure.protocol.DureVersion;

/** The envelope of every document: meta, errors and warnings. */
public final class JsonEnvelope {

  private JsonEnvelope() {}

  /** Adds what follows the contents, and ends the document. */
  public static void end(SlurmJsonWriter json, String cluster) {
    String[] parts = DureVersion.SLURM.split("\\.", -1);
    json.object("meta")
        .object("plugin")
        .text("type", "")
        .text("name", "")
        .text("data_parser", json.target().format().name())
        .text("accounting_storage", "")
        .endObject()
        .object("client")
        .text("source", "")
        .text("user", json.target().environment().get("USER"))
        .text("group", "")
        .endObject()
        .texts("command", json.target().command())
        .object("slurm")
        .object("version")
        .text("major", parts[0])
        .text("micro", parts[2])
        .text("minor", parts[1])
        .endObject()
        .text("release", DureVersion.SLURM)
        .text("cluster", cluster)
        .endObject()
        .endObject()
        .list("errors")
        .endList()
        .list("warnings")
        .endList()
        .endObject();
  }
}
