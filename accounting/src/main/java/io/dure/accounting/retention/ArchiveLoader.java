package io.dure.accounting.retention;

import io.dure.accounting.AccountingDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.JDBCType;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Puts the rows of an archive back: first all of it is read, then it goes in, some rows at a time.
 * Rows that are there stay as they are, so an archive may be loaded again and again. Any thread.
 */
public final class ArchiveLoader {
  private static final int AT_ONCE = 500;

  private final AccountingDatabase database;
  private final ZoneId zone;
  private final Predicate<String> open;

  /**
   * A loader into a database that sums up by the hours of a time zone.
   *
   * @param open of which clusters archives are loaded
   */
  public ArchiveLoader(AccountingDatabase database, ZoneId zone, Predicate<String> open) {
    this.database = database;
    this.zone = zone;
    this.open = open;
  }

  /**
   * What a load did.
   *
   * @param rows how many rows the archive has
   * @param added how many of them were not there
   */
  public record Loaded(String cluster, String kind, long rows, long added) {}

  /** What a column takes. */
  private enum Type {
    SMALL,
    NUMBER,
    TEXT,
    BYTES;

    boolean takes(Object value) {
      return switch (this) {
        case SMALL ->
            value instanceof Long number
                && number >= Integer.MIN_VALUE
                && number <= Integer.MAX_VALUE;
        case NUMBER -> value instanceof Long;
        case TEXT -> value instanceof String;
        case BYTES -> value instanceof byte[];
      };
    }
  }

  /**
   * Loads an archive.
   *
   * @throws ForeignArchiveException if it is of a cluster of which none are loaded
   * @throws BadArchiveException if it is none, is damaged, or is of a cluster that the database
   *     does not know or has another one of that name of; nothing of it is loaded then
   * @throws org.jdbi.v3.core.JdbiException if the database does not answer; to be loaded again
   */
  public Loaded load(Path file) throws IOException {
    Columns columns = new Columns();
    try (ArchiveReader archive = opened(file)) {
      while (columns.next(archive) != null) {
        // only looked at
      }
    }
    try (ArchiveReader archive = opened(file)) { // which may be another file by now
      long id = database.reading(handle -> cluster(handle, archive));
      RowNames names = database.reading(handle -> new RowNames(handle, id));
      RowStore store = new RowStore(database, names, zone);
      long rows = 0;
      long added = 0;
      List<ArchivedRow> some = new ArrayList<>();
      ArchivedRow row;
      do {
        row = columns.next(archive);
        if (row != null) {
          some.add(row);
        }
        if (row == null || some.size() >= AT_ONCE) {
          added +=
              database
                  .jdbi()
                  .inTransaction(
                      handle -> some.stream().filter(one -> store.add(handle, one)).count());
          rows += some.size();
          some.clear();
        }
      } while (row != null);
      return new Loaded(archive.header("cluster"), archive.header("kind"), rows, added);
    }
  }

  private static long cluster(Handle handle, ArchiveReader archive) {
    Long id = AccountingDatabase.clusterNumber(handle, archive.header("cluster"));
    return id == null ? -1 : id;
  }

  private ArchiveReader opened(Path file) throws IOException {
    ArchiveReader archive = ArchiveReader.open(file);
    boolean taken = false;
    try {
      String cluster = archive.header("cluster");
      if (!open.test(cluster)) {
        throw new ForeignArchiveException(cluster);
      }
      check(archive);
      taken = true;
      return archive;
    } finally {
      if (!taken) {
        archive.close();
      }
    }
  }

  /** The columns that rows may have, asked for once a table. */
  private final class Columns {
    private final Map<ArchivedTable, Map<String, Type>> known = new EnumMap<>(ArchivedTable.class);

    /** The next row, whose names and values its table takes; null behind the last. */
    @Nullable ArchivedRow next(ArchiveReader archive) throws IOException {
      ArchivedRow row = archive.next();
      if (row != null) {
        check(archive, row, known.computeIfAbsent(row.table(), ArchiveLoader.this::columns));
      }
      return row;
    }
  }

  private void check(ArchiveReader archive) throws IOException {
    String cluster = archive.header("cluster");
    long id = database.reading(handle -> cluster(handle, archive));
    if (id < 0) {
      throw archive.wrong("the database does not know the cluster " + cluster);
    }
    String origin = database.reading(handle -> Retention.origin(handle, id));
    if (!origin.isEmpty() && !origin.equals(archive.header("origin"))) {
      throw archive.wrong(
          "it is of another cluster "
              + cluster
              + " (origin "
              + archive.header("origin")
              + ", the database has "
              + origin
              + ")");
    }
  }

  private static void check(ArchiveReader archive, ArchivedRow row, Map<String, Type> columns)
      throws BadArchiveException {
    for (Map.Entry<String, Object> one : row.values().entrySet()) {
      Type type = columns.get(one.getKey());
      if (type == null) {
        throw archive.wrong(row.table().table() + " has no " + one.getKey());
      }
      if (!type.takes(one.getValue())) {
        throw archive.wrong("no value of " + one.getKey());
      }
    }
    for (String needed : columns.keySet()) {
      boolean named = row.table().key().contains(needed) || row.table().guard().contains(needed);
      boolean name = needed.equals(RowNames.TRES) && row.table().key().contains("tres_id");
      if ((named || name) && !row.values().containsKey(needed)) {
        throw archive.wrong(needed + " is missing");
      }
    }
    if (row.table() == ArchivedTable.CAPACITY && row.number(PastHours.END) <= 0) {
      throw archive.wrong(PastHours.END + " is missing");
    }
  }

  /** The columns of a table as an archive names them. */
  private Map<String, Type> columns(ArchivedTable table) {
    Map<String, Type> columns = new LinkedHashMap<>();
    database
        .jdbi()
        .useHandle(handle -> {
          try (var statement = handle.getConnection().createStatement();
              var none =
                  statement.executeQuery("SELECT * FROM " + table.table() + " WHERE 1 = 0")) {
            ResultSetMetaData of = none.getMetaData();
            for (int i = 1; i <= of.getColumnCount(); i++) {
              columns.put(of.getColumnLabel(i), type(of.getColumnType(i)));
            }
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
    columns.remove("cluster_id");
    columns.remove(ArchivedTable.DERIVED);
    if (columns.remove("tres_id") != null) {
      columns.put(RowNames.TRES, Type.TEXT);
    }
    if (columns.remove("owner_id") != null) {
      RowNames.OWNER.forEach(name -> columns.put(name, Type.TEXT));
    }
    if (table == ArchivedTable.CAPACITY) {
      columns.put(PastHours.END, Type.NUMBER);
    }
    return columns;
  }

  private static Type type(int jdbc) {
    return switch (JDBCType.valueOf(jdbc)) {
      case BIGINT -> Type.NUMBER;
      case INTEGER, SMALLINT, TINYINT -> Type.SMALL;
      case BLOB, BINARY, VARBINARY, LONGVARBINARY -> Type.BYTES;
      default -> Type.TEXT;
    };
  }
}
