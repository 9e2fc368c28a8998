package io.dure.controller.accounting.upkeep;

import io.dure.accounting.DatabaseFailure;
import io.dure.accounting.retention.ArchiveLoader;
import io.dure.accounting.retention.ForeignArchiveException;
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
 * @param rights of which clusters a user may have records moved
 */
public record LocalBookKeeping(AccountingUpkeep upkeep, List<String> lines, Rights rights)
    implements BookKeeping {
  private static final String NO_ADMINISTRATOR = "your user is no administrator of ";

  public LocalBookKeeping {
    lines = List.copyOf(lines);
  }

  /** Says of which clusters records may be moved. */
  public interface Rights {
    /** Those of all: whoever comes so far was asked before. */
    Rights ALL = (clusters, _) -> clusters;

    /**
     * Those of the clusters whose records the user may have moved.
     *
     * @throws JdbiException if the database does not answer
     */
    List<String> among(List<String> clusters, Asker by);
  }

  @Override
  public Response archive(ArchiveOrder order, Asker by) throws IOException {
    RetentionSettings usual = upkeep.settings();
    if (!usual.commands()) {
      return disabled();
    }
    // They are used with the rights of this program.
    if ((order.directory() != null || order.script() != null) && !by.operator()) {
      return denied("Directory= and Script= are for root and SlurmUser");
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
    RetentionSettings settings =
        new RetentionSettings(
            order.kinds().isEmpty() ? usual.rules() : rules,
            order.directory() == null ? usual.directory() : order.directory(),
            order.script() == null ? usual.script() : order.script(),
            true);
    try {
      return archived(settings, by);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return refused("the daemon that keeps the records ends");
    } catch (JdbiException e) {
      throw new IOException(DatabaseFailure.message(e), e);
    }
  }

  private Response archived(RetentionSettings settings, Asker by) throws InterruptedException {
    List<String> all = upkeep.clusters();
    List<String> allowed = rights.among(all, by);
    if (allowed.isEmpty() && !all.isEmpty()) {
      return denied(NO_ADMINISTRATOR + String.join(", ", all));
    }
    AccountingUpkeep.Outcome outcome = upkeep.purge(settings, allowed);
    List<String> lines = new ArrayList<>();
    for (Retention.Purged one : outcome.purged()) {
      lines.add(
          one.kind().word()
              + ": "
              + one.rows()
              + (one.archives().isEmpty() ? "" : " into " + paths(one.archives())));
    }
    List<String> failures = new ArrayList<>();
    outcome.failures().forEach((cluster, why) -> failures.add(cluster + ": " + why));
    List<String> others = all.stream().filter(one -> !allowed.contains(one)).toList();
    if (!others.isEmpty()) {
      failures.add(NO_ADMINISTRATOR + String.join(", ", others));
    }
    if (failures.isEmpty()) {
      return new Response.Text(lines);
    }
    return lines.isEmpty() && !outcome.failures().isEmpty()
        ? refused(String.join("; ", failures))
        : new Response.Partly(lines, failures);
  }

  private static String paths(List<Path> paths) {
    return String.join(", ", paths.stream().map(Path::toString).toList());
  }

  @Override
  public Response configuration() {
    return new Response.Text(lines);
  }

  @Override
  public Response load(String file, Asker by) throws IOException {
    if (!upkeep.settings().commands()) {
      return disabled();
    }
    try {
      ArchiveLoader.Loaded loaded =
          upkeep.load(Path.of(file), of -> !rights.among(List.of(of), by).isEmpty());
      return new Response.Text(
          List.of(loaded.kind() + ": " + loaded.added() + " of " + loaded.rows()));
    } catch (ForeignArchiveException e) {
      return denied(NO_ADMINISTRATOR + e.cluster());
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
    return denied("DisableArchiveCommands in slurmdbd.conf forbids it");
  }

  private static Response denied(String why) {
    return new Response.Failed(ErrorCode.ACCESS_DENIED, why);
  }
}
