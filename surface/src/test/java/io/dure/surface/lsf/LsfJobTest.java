package io.dure.surface.lsf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.surface.value.WallClock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What options of {@code bsub} are for {@code sbatch}. */
@Tag("pure")
class LsfJobTest {
  /** Friday, 20 November 2026, 16:01:34. */
  private static final WallClock CLOCK =
      new WallClock.Fixed(Instant.parse("2026-11-20T16:01:34Z"), ZoneOffset.UTC);

  /** Words are set apart by semicolons. */
  private static LsfJob job(String line) throws LsfFault {
    LsfJob job = new LsfJob(CLOCK);
    job.take(List.of(line.split(";", -1)));
    return job;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "-n;4,8;-q;a b ~ --ntasks=4 --partition=a,b",
        "-n4;-W;1:30 ~ --ntasks=4 --time=0-01:30:00",
        "-W;2880/host;-c;10 ~ --time=2-00:00:00",
        "-R;rusage[mem=4GB:ngpus_excl_p=2] span[hosts=1] ~ --mem=4096M --gpus-per-node=2 --nodes=1",
        "-R;span[ptile=4];-M;2048000 ~ --ntasks-per-node=4 --mem=2000M",
        "-M;4G;-R;rusage[mem=100] ~ --mem=100M",
        "-gpu;num=2/host:mode=shared ~ --gpus-per-node=2",
        "-w;done(12) && ended(13[2]) ~ --dependency=afterok:12,afterany:13_2",
        "-w;12 || exit(13) ~ --dependency=afterok:12?afternotok:13",
        "-b;8:30;-H ~ --begin=2026-11-21T08:30 --hold",
        "-b;12:1:8:30 ~ --begin=2026-12-01T08:30",
        "-t;20:0 ~ --deadline=2026-11-20T20:00",
        "-m;n1 n2;-x;-P;phys;-U;maint ~ --nodelist=n1,n2 --account=phys --reservation=maint"
            + " --exclusive",
        "-N;-B;-u;a@b ~ --mail-type=BEGIN,END --mail-user=a@b",
        "-cwd;/scratch;-Jd;why ~ --chdir=/scratch --comment=why",
      })
  void wordsOf(String line, String words) throws LsfFault {
    assertEquals(words, String.join(" ", job(line).words()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "-J;render[1-10:2]%5;-o;out.%J.%I ~ --job-name=render --array=1-10:2%5"
            + " --output=out.%A.%a --open-mode=append",
        "-oo;out.%J;-eo;logs/ ~ --output=out.%j --error=logs/%j.err --open-mode=truncate",
        "-i;in;-r;-K ~ --input=in --requeue --wait",
        "-env;all, A=1;-rn ~ --no-requeue --export=ALL,A=1",
      })
  void batchWordsOf(String line, String words) throws LsfFault {
    assertEquals(words, String.join(" ", job(line).batchWords()));
  }

  @Test
  void theCommandEndsTheOptions() throws LsfFault {
    LsfJob job = new LsfJob(CLOCK);
    assertEquals(
        List.of("sort", "-n", "x"), job.take(List.of("-Is", "-n", "2", "sort", "-n", "x")));
    assertEquals(List.of("--ntasks=2"), job.words());
    assertEquals(true, job.hasTerminal());
  }

  @Test
  void whatHasNoEqualIsNamed() throws LsfFault {
    LsfJob job = job("-app;x;-R;select[type==any] order[ut];-gpu;num=1:gmodel=a");
    job.words();
    assertEquals(
        List.of("-R select[type==any]", "-R order[ut]", "-gpu gmodel=a", "-app x"),
        job.passedOver());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-n;x",
        "-W;1:2:3",
        "-M;lots",
        "-w;done(\"name\")",
        "-w;1 && 2 || 3",
        "-b;25:00",
        "-b;8",
      })
  void whatIsWrongIsRefused(String line) throws LsfFault {
    LsfJob job = job(line);
    assertThrows(LsfFault.class, job::words);
  }

  @Test
  void unknownOptionsAreRefused() {
    LsfJob job = new LsfJob(CLOCK);
    assertThrows(LsfFault.class, () -> job.take(List.of("-zz")));
    assertThrows(LsfFault.class, () -> job.take(List.of("-n")));
  }
}
