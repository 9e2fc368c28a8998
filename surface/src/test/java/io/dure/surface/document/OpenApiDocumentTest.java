package io.dure.surface.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("pure")
class OpenApiDocumentTest {

  private static String document(List<Integer> versions) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OpenApiDocument.write(new JsonNotation(bytes, true), versions, (_, _) -> true, "26.05.0");
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static List<String> found(String document, String pattern) {
    return Pattern.compile(pattern).matcher(document).results().map(one -> one.group(1)).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {42, 43, 44, 45})
  void everySchemaThatIsNamedIsThere(int version) {
    String document = document(List.of(version));
    Set<String> named = new TreeSet<>(found(document, "\"#/components/schemas/([^\"]+)\""));
    Set<String> there = new TreeSet<>(found(document, "\"(v0\\.0\\.\\d+_\\w+)\":\\{"));
    assertTrue(there.containsAll(named), () -> named + " against " + there);
    assertEquals(DocumentSchemas.all().of(version).size(), there.size());
  }

  @Test
  void anOperationHasANameOfItsOwn() {
    List<String> names = found(document(List.of(42, 43, 44, 45)), "\"operationId\":\"(\\w+)\"");
    assertEquals(names.size(), Set.copyOf(names).size());
    assertTrue(names.contains("slurm_v0042_post_job_submit"), names::toString);
    assertTrue(names.contains("slurmdb_v0045_get_single_qos"), names::toString);
    assertTrue(names.contains("slurmdb_v0044_get_qos"), names::toString);
  }

  @Test
  void aVersionHasTheOperationsThatItHasInSlurm() {
    assertTrue(document(List.of(44)).contains("/slurm/v0.0.44/new/node/"));
    assertTrue(!document(List.of(43)).contains("new/node"));
    assertTrue(!document(List.of(44)).contains("v0.0.45_"));
  }
}
