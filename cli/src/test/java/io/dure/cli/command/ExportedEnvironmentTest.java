package io.dure.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class ExportedEnvironmentTest {

  private static String export(String option) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("HOME", "/h");
    environment.put("EDITOR", "vi");
    environment.put("SLURM_JOB_ID", "7");
    environment.put("SPANK_X", "1");
    environment.put("SLURM_JWT", "secret");
    ExportedEnvironment found = ExportedEnvironment.of(environment, option);
    return found.variables() + (found.loadUserEnvironment() ? " login" : "");
  }

  @Test
  void allButTheTokenTravelsByDefault() {
    String all = "{HOME=/h, EDITOR=vi, SLURM_JOB_ID=7, SPANK_X=1}";
    assertEquals(all, export(null));
    assertEquals(all, export("ALL"));
    assertEquals(all, export("all"));
  }

  @Test
  void noneAsksForTheLoginEnvironmentAndNilDoesNot() {
    assertEquals("{SLURM_JOB_ID=7, SPANK_X=1, SLURM_EXPORT_ENV=NONE} login", export("NONE"));
    assertEquals("{SLURM_JOB_ID=7, SPANK_X=1, SLURM_EXPORT_ENV=NIL}", export("NIL"));
  }

  @Test
  void listsNameAndSet() {
    assertEquals(
        "{SLURM_JOB_ID=7, SPANK_X=1, EDITOR=vi, A=b, SLURM_EXPORT_ENV=EDITOR,A=b,GONE} login",
        export("EDITOR,A=b,GONE"));
    assertEquals(
        "{HOME=/h, EDITOR=emacs, SLURM_JOB_ID=7, SPANK_X=1,"
            + " SLURM_EXPORT_ENV=ALL,EDITOR=emacs}",
        export("ALL,EDITOR=emacs"));
    assertEquals(
        "{SLURM_JOB_ID=7, SPANK_X=1, A=x,y, SLURM_EXPORT_ENV=A='x,y'} login", export("A='x,y'"));
  }
}
