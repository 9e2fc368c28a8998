package io.dure.accounting.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements that may be made twice. */
@Tag("pure")
class RepeatableStatementsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE a (b INT) | CREATE TABLE IF NOT EXISTS a (b INT)",
        "CREATE INDEX a ON b (c) | CREATE INDEX IF NOT EXISTS a ON b (c)",
        "DROP INDEX a ON b | DROP INDEX IF EXISTS a ON b",
        "ALTER TABLE a ADD COLUMN b INT | ALTER TABLE a ADD COLUMN IF NOT EXISTS b INT",
        "ALTER TABLE a DROP COLUMN b | ALTER TABLE a DROP COLUMN IF EXISTS b",
        "INSERT INTO a (b) SELECT c | INSERT INTO a (b) SELECT c"
      })
  void areThoseThatChangeASchema(String sql, String repeatable) {
    assertEquals(repeatable, RepeatableStatements.repeatable(sql));
  }
}
