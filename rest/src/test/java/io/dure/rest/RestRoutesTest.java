package io.dure.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.rest.slurm.SlurmOperations;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class RestRoutesTest {
  private final RestRoutes routes = new RestRoutes(SlurmOperations.all());

  private static List<String> path(String path) {
    return RestRoutes.segments(path);
  }

  @Test
  void anOperationIsFoundInEachVersion() {
    for (int version = 42; version <= 45; version++) {
      RestRoutes.Match found = routes.find("GET", path("/slurm/v0.0." + version + "/job/12_3"));
      assertNotNull(found);
      assertEquals(version, found.version());
      assertEquals(Map.of("job_id", "12_3"), found.parameters());
      assertEquals("openapi_job_info_resp", found.schema());
    }
    assertNull(routes.find("GET", path("/slurm/v0.0.41/job/12")));
    assertNull(routes.find("GET", path("/slurm/v0.0.46/job/12")));
  }

  @Test
  void aSlashAtTheEndIsOfNoAccountAndOneMoreIs() {
    assertNotNull(routes.find("GET", path("/slurm/v0.0.45/jobs")));
    assertNotNull(routes.find("GET", path("/slurm/v0.0.45/jobs/")));
    assertNull(routes.find("GET", path("/slurm/v0.0.45/jobs//")));
    assertNull(routes.find("GET", path("//slurm/v0.0.45/jobs")));
  }

  @Test
  void aMethodThatAPathHasNotIsNotAPathThatIsNotThere() {
    assertNull(routes.find("PUT", path("/slurm/v0.0.45/jobs/")));
    assertTrue(routes.knows(path("/slurm/v0.0.45/jobs/")));
    assertFalse(routes.knows(path("/slurm/v0.0.45/jops/")));
  }

  @Test
  void anOperationWithoutADescriptionIsABug() {
    Map<String, RestOperation> odd = Map.of("GET /slurm/{version}/jops/", _ -> {});
    assertThrows(IllegalArgumentException.class, () -> new RestRoutes(odd));
  }
}
