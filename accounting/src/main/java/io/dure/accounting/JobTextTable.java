package io.dure.accounting;

import io.dure.model.jobtext.TextId;
import io.dure.protocol.accounting.RecordedText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** The table of scripts and environments, each once, whatever jobs of whichever cluster have it. */
final class JobTextTable {
  private JobTextTable() {}

  /**
   * What a job told of a text.
   *
   * @param at since when the attempt is there that names it
   */
  record Said(String text, long at) {}

  static List<TableRow> rows(Map<TextId, Said> texts) {
    List<TableRow> rows = new ArrayList<>();
    texts.forEach((id, said) ->
        rows.add(
            TableRow.of(
                "text " + id,
                id.toString(),
                said.text().getBytes(StandardCharsets.UTF_8),
                said.at())));
    return rows;
  }

  /** Those of these that it has. */
  static List<RecordedText> read(Handle handle, Collection<TextId> ids) {
    Map<String, TextId> names =
        ids.stream().distinct().collect(Collectors.toMap(TextId::toString, Function.identity()));
    if (names.isEmpty()) {
      return List.of();
    }
    return new ArrayList<>(
        handle
            .createQuery("SELECT id, content FROM job_text WHERE id IN (<ids>)")
            .bindList("ids", List.copyOf(names.keySet()))
            .map((row, _) ->
                new RecordedText(
                    Objects.requireNonNull(names.get(row.getString(1))),
                    new String(row.getBytes(2), StandardCharsets.UTF_8)))
            .list());
  }
}
