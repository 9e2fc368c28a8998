package io.dure.controller.accounting.upkeep;

import io.dure.accounting.DatabaseFailure;
import io.dure.accounting.retention.ArchiveLoader;
import io.dure.accounting.retention.Retention;
import io.dure.model.ErrorCode;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionAge;
import io.dure.model.config.accounting.RetentionSettings;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ArchiveOrder;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.JdbiException;

/**
 * Keeps the books in this program.
 *
 * @param lines what is followed
 */
public record LocalBookKeeping(AccountingUpkeep upkeep, List<String> lines) implements BookKeeping {
  public LocalBookKeeping {
    lines = List.copyOf(lines);
  }

  @Override
  public Response archive(ArchiveOrder order) throws IOException {
    RetentionSettings usual = upkeep.settings();
    if (!usual.commands()) {
      return disabled();
    }
    Map<RecordKind, RetentionSettings.Rule> rules = new EnumMap<>(RecordKind.class);
    for (ArchiveOrder.Kind one : order.kinds()) {
      RetentionSettings.Rule known = usual.rules().get(one.kind());
      RetentionAge after = one.after() == null && known != null ? known.after() : one.after();
      if (after == null) {
        return refused("say how old: " + one.kind().purgeKey() + "=");
      }
      rules.put(one.kind(), new RetentionSettings.Rule(after, one.archived()));
    }
    try {
      List<String> lines = new ArrayList<>();
      for (Retention.Purged one :
          upkeep.purge(
              new RetentionSettings(
                  order.kinds().isEmpty() ? usual.rules() : rules,
                  order.directory() == null ? usual.directory() : order.directory(),
                  order.script() == null ? usual.script() : order.script(),
                  true))) {
        lines.add(
            one.kind().word()
                + ": "
                + one.rows()
                + (one.archives().isEmpty() ? "" : " into " + paths(one.archives())));
      }
      return new Response.Text(lines);
    } catch (IOException e) {
      return refused(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return refused("the daemon that keeps the records ends");
    } catch (JdbiException e) {
      throw new IOException(DatabaseFailure.message(e), e);
    }
  }

  private static String paths(List<Path> paths) {
    return String.join(", ", paths.stream().map(Path::toString).toList());
  }

  @Override
  public Response configuration() {
    return new Response.Text(lines);
  }

  @Override
  public Response load(String file) throws IOException {
    if (!upkeep.settings().commands()) {
      return disabled();
    }
    try {
      ArchiveLoader.Loaded loaded = upkeep.load(Path.of(file));
      return new Response.Text(
          List.of(loaded.kind() + ": " + loaded.added() + " of " + loaded.rows()));
    } catch (IOException | InvalidPathException e) {
      return refused(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return refused("the daemon that keeps the records ends");
    } catch (JdbiException e) {
      throw new IOException(DatabaseFailure.message(e), e);
    }
  }

  private static Response refused(String why) {
    return new Response.Failed(ErrorCode.CANNOT_STORE, why);
  }

  private static Response disabled() {
    return new Response.Failed(
        ErrorCode.ACCESS_DENIED, "DisableArchiveCommands in slurmdbd.conf forbids it");
  }
}
