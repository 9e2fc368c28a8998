package io.dure.placement.admission;

import io.dure.model.UserIdentity;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.collection.IntMap;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.model.gres.License;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.history.RunHistory;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import io.dure.model.reservation.LicenseUse;
import io.dure.model.reservation.Reservation;
import io.dure.rules.SchedulerNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster with one more job in its queue, which is not submitted. */
public final class ViewWithJob implements AdmissionView {
  private final AdmissionView base;
  private final Job job;
  private final IntMap<Job> pending;
  private final OwnerJobCounts queued;

  private ViewWithJob(AdmissionView base, Job job) {
    this.base = base;
    this.job = job;
    pending = base.pending().with(job.id(), job);
    queued = base.queued().changed(null, job);
  }

  /**
   * The cluster after the submission of a job that was admitted.
   *
   * @param het its place in a heterogeneous job, null for none
   */
  public static ViewWithJob of(
      AdmissionView base,
      UserIdentity owner,
      Admission.Answer.Admitted admitted,
      Workload batch,
      @Nullable HetComponent het,
      Instant now) {
    JobSpec spec = admitted.spec();
    int id = het == null ? base.nextJobId() : het.leader() + het.offset();
    Job leader = het == null ? null : base.job(het.leader());
    Hold hold = spec.priority() != null && spec.priority() == 0 ? Hold.USER : Hold.NONE;
    JobState.Pending state =
        new JobState.Pending(hold, null, List.of(), false, false)
            .waiting(admitted.dependency().waitingFor(), admitted.dependency().failed());
    Job job =
        new Job(
            id,
            admitted.array() == null ? null : ArrayPart.Waiting.of(id, admitted.array()),
            owner,
            spec,
            batch,
            now,
            null,
            hold == Hold.NONE ? JobPriorityRules.ofNew(base, spec, leader) : 0,
            0,
            0,
            state,
            het);
    ViewWithJob after = new ViewWithJob(base, job);
    if (!Eligibility.begins(job, now)) {
      return after;
    }
    Job eligible = job.withEligibleTime(now);
    return new ViewWithJob(
        base,
        Eligibility.mayAge(after, job)
            ? eligible
            : eligible.withState(state.withAccrual(new JobState.Accrual.Waits())));
  }

  @Override
  public IntMap<Job> pending() {
    return pending;
  }

  @Override
  public OwnerJobCounts queued() {
    return queued;
  }

  @Override
  public @Nullable Job job(int id) {
    return id == job.id() ? job : base.job(id);
  }

  @Override
  public int jobCount() {
    return base.jobCount() + 1;
  }

  @Override
  public int nextJobIds(int count) {
    return Math.max(job.id() + 1, base.nextJobIds(count));
  }

  @Override
  public int nextJobRound() {
    return base.nextJobRound();
  }

  @Override
  public int round(Job other) {
    return other.id() == job.id() ? base.nextJobRound() : base.round(other);
  }

  @Override
  public ClusterSettings settings() {
    return base.settings();
  }

  @Override
  public List<PartitionConfig> partitions() {
    return base.partitions();
  }

  @Override
  public @Nullable PartitionConfig partition(String name) {
    return base.partition(name);
  }

  @Override
  public IntMap<? extends SchedulerNode> nodes() {
    return base.nodes();
  }

  @Override
  public int nodePosition(String name) {
    return base.nodePosition(name);
  }

  @Override
  public IntMap<Job> active() {
    return base.active();
  }

  @Override
  public IntMap<Job> ended() {
    return base.ended();
  }

  @Override
  public IntMap<Integer> arrayTasks(int arrayJobId) {
    return base.arrayTasks(arrayJobId);
  }

  @Override
  public List<License> licenses() {
    return base.licenses();
  }

  @Override
  public LicenseUse licenseUse() {
    return base.licenseUse();
  }

  @Override
  public AccountingTree accounts() {
    return base.accounts();
  }

  @Override
  public UsageLedger usage() {
    return base.usage();
  }

  @Override
  public RunHistory runs() {
    return base.runs();
  }

  @Override
  public @Nullable Topology topology() {
    return base.topology();
  }

  @Override
  public List<NamedTopology> topologies() {
    return base.topologies();
  }

  @Override
  public List<Reservation> reservations() {
    return base.reservations();
  }
}
