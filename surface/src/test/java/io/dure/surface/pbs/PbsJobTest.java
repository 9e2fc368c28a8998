package io.dure.surface.pbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.surface.message.CommandException;
import io.dure.surface.value.WallClock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What options of {@code qsub} are for {@code sbatch}. */
@Tag("pure")
class PbsJobTest {
  /** Friday, 20 November 2026, 16:01:34. */
  private static final WallClock CLOCK =
      new WallClock.Fixed(Instant.parse("2026-11-20T16:01:34Z"), ZoneOffset.UTC);

  private static PbsJob job(String line) throws CommandException {
    PbsJob job = new PbsJob(CLOCK);
    job.take(List.of(line.split(" ", -1)));
    return job;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-l nodes=2:ppn=4 | --nodes=2 --ntasks-per-node=4",
        "-l nodes=1 | --nodes=1",
        "-l nodes=n1+n2:ppn=2 | --nodes=2 --ntasks=3 --nodelist=n1,n2",
        "-l nodes=2:ppn=4:gpus=1:big | --nodes=2 --ntasks-per-node=4 --gpus-per-node=1"
            + " --constraint=big",
        "-l nodes=1:ppn=8:fat+2:ppn=8:thin | --nodes=3 --ntasks-per-node=8"
            + " --constraint=[fat*1&thin*2]",
        "-l nodes=3#excl | --nodes=3 --exclusive",
        "-l select=2:ncpus=8:mpiprocs=4:mem=4gb | --nodes=2 --ntasks-per-node=4"
            + " --cpus-per-task=2 --mem=4096M",
        "-l select=1:ncpus=4:ngpus=2 | --nodes=1 --ntasks-per-node=1 --cpus-per-task=4"
            + " --gpus-per-node=2",
        "-l select=2:ncpus=2:mem=1gb -l place=pack:excl | --nodes=1 --ntasks=2"
            + " --cpus-per-task=2 --mem=2048M --exclusive",
        "-l walltime=3600 | --time=0-01:00:00",
        "-l walltime=36:00:00,mem=100kb | --time=1-12:00:00 --mem=1M",
        "-l walltime=2:00:00:00 | --time=2-00:00:00",
        "-l ncpus=4,pmem=2gb | --cpus-per-task=4 --mem-per-cpu=2048M",
        "-l cput=60,walltime=10:00 | --time=0-00:10:00",
        "-l naccesspolicy=singlejob,qos=high | --exclusive --qos=high",
        "-l host=n1,gpus=2,software=matlab | --nodelist=n1 --gpus=2 --licenses=matlab",
        "-N x -A phys -q debug@server | --job-name=x --account=phys --partition=debug",
        "-m abe -M a@b,c | --mail-type=BEGIN,END,FAIL --mail-user=a@b,c",
        "-m n | --mail-type=NONE",
        "-a 1830 | --begin=2026-11-20T18:30",
        "-a 0830 | --begin=2026-11-21T08:30",
        "-a 010830.30 | --begin=2026-12-01T08:30:30",
        "-a 02030830 | --begin=2027-02-03T08:30",
        "-a 202702030830 | --begin=2027-02-03T08:30",
        "-h -p -100 | --hold --nice=100",
        "-W depend=afterok:12.server:13[],afterany:14[2] | --dependency=afterok:12:13,afterany:14_2",
        "-W x=FLAGS:ADVRES:maint | --reservation=maint",
        "-d /scratch -P key | --chdir=/scratch --wckey=key",
      })
  void wordsOf(String line, String words) throws CommandException {
    assertEquals(words, String.join(" ", job(line).words()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-z | --output=%x.o%j --error=%x.e%j --export=ALL",
        "-j oe | --output=%x.o%j --export=ALL",
        "-j eo | --output=%x.e%j --export=ALL",
        "-o host:/var/out/ -e err.$PBS_JOBID | --output=/var/out/%x.o%j --error=err.%j --export=ALL",
        "-J 1-9:2%3 -v A=1,B -r n | --array=1-9:2%3 --export=ALL,A=1,B --no-requeue"
            + " --output=%x.o%A-%a --error=%x.e%A-%a",
        "-W block=true -j oe | --wait --output=%x.o%j --export=ALL",
      })
  void batchWordsOf(String line, String words) throws CommandException {
    assertEquals(words, String.join(" ", job(line).batchWords()));
  }

  @Test
  void whatComesLaterCountsMore() throws CommandException {
    PbsJob job = job("-l select=4:ncpus=2,walltime=60 -N first");
    job.take(List.of("-l", "nodes=1:ppn=2", "-N", "second"));
    assertEquals(
        List.of("--time=0-00:01:00", "--nodes=1", "--ntasks-per-node=2", "--job-name=second"),
        job.words());
  }

  @Test
  void whatHasNoEqualIsNamed() throws CommandException {
    PbsJob job = job("-l nodes=1,colour=red,nice=5 -p 7 -W stagein=x -u bob");
    assertEquals(List.of("--nodes=1"), job.words());
    List<String> passed = new ArrayList<>(job.passedOver());
    assertEquals(
        List.of("-p 7 (up to -1024 puts a job back)", "-W stagein=x", "-u bob", "-l colour=red"),
        passed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-l walltime=1:x",
        "-l walltime=",
        "-l mem=4lb",
        "-l mem=9999999999999999999gb",
        "-l nodes=0",
        "-l nodes=+2",
        "-l select=1:ncpus=-1",
        "-a 9999",
        "-a 12",
        "-W depend=beforeok:1",
        "-W depend=afterok",
      })
  void whatIsWrongIsRefused(String line) throws CommandException {
    PbsJob job = job(line);
    assertThrows(CommandException.class, job::words);
  }
}
