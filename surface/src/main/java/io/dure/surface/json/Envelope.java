package io.dure.surface.json;

import io.dure.protocol.Version;

/** What stands around the contents of every document. */
public final class Envelope {

  private Envelope() {}

  /** Adds what follows the contents, and ends the document. */
  public static void end(JsonText json, String cluster) {
    String[] parts = Version.SLURM.split("\\.", -1);
    json.object("meta")
        .object("plugin")
        .text("type", "")
        .text("name", "")
        .text("data_parser", JsonVersion.PARSER)
        .text("accounting_storage", "")
        .endObject()
        .object("client")
        .text("source", "")
        .text("user", json.target().environment().get("USER"))
        .text("group", "")
        .endObject()
        .texts("command", json.target().arguments())
        .object("slurm")
        .object("version")
        .text("major", parts[0])
        .text("micro", parts[2])
        .text("minor", parts[1])
        .endObject()
        .text("release", Version.SLURM)
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
