package io.dure.model.config.step;

import io.dure.model.config.gres.GresConfFindings;
import io.dure.model.config.preempt.PreemptSettingsReader.Problem;
import io.dure.model.config.step.StepSettings.Profiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the files beside slurm.conf that say how steps run. Used once. */
public final class StepFiles {
  private static final String CGROUP_CONF = "cgroup.conf";
  private static final String ACCT_GATHER_CONF = "acct_gather.conf";
  private static final String OCI_CONF = "oci.conf";
  private static final String JOB_CONTAINER_CONF = "job_container.conf";

  private final GresConfFindings findings;
  private final UnaryOperator<String> values;
  private final Beside beside;
  private final List<Problem> problems = new ArrayList<>();

  /** Takes the lines of another file. */
  public interface Lines {
    /** Takes one, as keys with their values. */
    void add(String file, int line, List<Map.Entry<String, String>> words);
  }

  /** Reads a file beside slurm.conf; whether it is there. */
  public interface Beside {
    /** Reads it. */
    boolean read(String name, Lines lines);
  }

  /**
   * A reader.
   *
   * @param values what slurm.conf says for a key, in lower case
   */
  public StepFiles(GresConfFindings findings, UnaryOperator<String> values, Beside beside) {
    this.findings = findings;
    this.values = values;
    this.beside = beside;
  }

  /** What was wrong in slurm.conf itself. */
  public List<Problem> problems() {
    return List.copyOf(problems);
  }

  /** Those settings, with what the files say. */
  public StepSettings read(StepSettings settings) {
    boolean inForce = values.apply("TaskPlugin").contains("cgroup");
    CgroupConfReader groups = new CgroupConfReader(findings, inForce);
    beside.read(CGROUP_CONF, groups::add);
    return settings
        .with()
        .constrainsDevices(groups.constrainsDevices())
        .cgroup(groups.settings())
        .oci(oci())
        .profiles(profiles())
        .container(container())
        .build();
  }

  /** How OCI bundles are run, null where they are not. */
  private @Nullable OciSettings oci() {
    OciConfReader reader = new OciConfReader(findings);
    beside.read(OCI_CONF, reader::add);
    return reader.settings();
  }

  /** Where what tasks use is kept over time, null for nowhere. */
  private @Nullable Profiles profiles() {
    String key = "AcctGatherProfileType";
    if (!values.apply(key).endsWith("/hdf5")) {
      return null;
    }
    AcctGatherConfReader reader = new AcctGatherConfReader(findings);
    beside.read(ACCT_GATHER_CONF, reader::add);
    if (reader.profiles() == null) {
      String message = "without ProfileHDF5Dir in " + ACCT_GATHER_CONF + " nothing is kept";
      problems.add(new Problem(key, message, null));
    }
    return reader.profiles();
  }

  /** What each job has for itself, null for nothing. */
  private @Nullable JobContainer container() {
    String key = "NamespaceType";
    if (!values.apply(key).endsWith("/tmpfs")) {
      return null;
    }
    JobContainerConfReader reader = new JobContainerConfReader(findings);
    if (!beside.read(JOB_CONTAINER_CONF, reader::add)) {
      String message = "there is no " + JOB_CONTAINER_CONF + " beside this file";
      String remedy = "Write BasePath=DIRECTORY there";
      problems.add(new Problem(key, message, remedy));
    }
    return reader.container();
  }
}
