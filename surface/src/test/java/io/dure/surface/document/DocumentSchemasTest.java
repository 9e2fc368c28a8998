package io.dure.surface.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class DocumentSchemasTest {
  private final DocumentSchemas schemas = DocumentSchemas.all();

  @ParameterizedTest
  @CsvSource({"42, 151", "43, 155", "44, 166", "45, 183"})
  void aVersionHasAsManySchemasAsSlurmPublishes(int version, int count) {
    List<Described> all = schemas.of(version);
    assertEquals(count, all.size());
    all.forEach(one -> schemas.shape(one.name(), version));
  }

  @Test
  void everythingIsDescribed() {
    schemas.of(DocumentSchemas.NEWEST).forEach(DocumentSchemasTest::isDescribed);
  }

  private static void isDescribed(Described one) {
    assertFalse(one.description().isBlank(), one.name());
    one.members().forEach(DocumentSchemasTest::isDescribed);
  }

  @Test
  void membersComeAndGoWithVersions() {
    Shape.Members oldest = members("job_info", 42);
    Shape.Members newest = members("job_info", 45);
    assertTrue(oldest.find("container_type", 0) < 0);
    assertTrue(newest.find("container_type", 0) > 0);
    assertTrue(oldest.find("power", 0) > 0);
    assertTrue(newest.find("power", 0) < 0);
    assertTrue(newest.others().contains("power"));
  }

  @Test
  void wordsComeAndGoWithVersions() {
    assertFalse(schemas.words("job_states", 43).contains("EXPEDITING"));
    assertTrue(schemas.words("job_states", 44).contains("EXPEDITING"));
    assertTrue(schemas.words("administrator_levels", 42).contains("Not Set"));
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThrows(IllegalArgumentException.class, () -> schemas.shape("job_inf", 45));
    assertThrows(IllegalArgumentException.class, () -> schemas.shape("slurm_conf", 44));
  }

  private Shape.Members members(String schema, int version) {
    return assertInstanceOf(Shape.Members.class, schemas.shape(schema, version));
  }
}
