package io.dure.controller.statistics;

import io.dure.model.command.Command;
import io.dure.model.hook.TriggerChange;
import io.dure.protocol.Request;
import org.jspecify.annotations.Nullable;

/** What is asked of the controller, under Slurm's name and number of the message that asks it. */
public enum RpcMessageType {
  /** A node daemon says what its machine has. */
  MESSAGE_NODE_REGISTRATION_STATUS(1002),
  REQUEST_RECONFIGURE(1003),
  REQUEST_SHUTDOWN(1005),
  REQUEST_PING(1008),
  REQUEST_SET_DEBUG_LEVEL(1010),
  REQUEST_TAKEOVER(1012),
  /** The configuration. */
  REQUEST_BUILD_INFO(2001),
  REQUEST_CONFIG(2015),
  REQUEST_SUSPEND(5014),
  REQUEST_JOB_INFO(2003),
  REQUEST_JOB_STEP_INFO(2005),
  REQUEST_NODE_INFO(2007),
  REQUEST_JOB_INFO_SINGLE(2021),
  REQUEST_SHARE_INFO(2022),
  REQUEST_RESERVATION_INFO(2024),
  REQUEST_PRIORITY_FACTORS(2026),
  REQUEST_TOPO_INFO(2028),
  REQUEST_TRIGGER_SET(2018),
  REQUEST_TRIGGER_GET(2019),
  REQUEST_TRIGGER_CLEAR(2020),
  REQUEST_STATS_INFO(2035),
  REQUEST_JOB_USER_INFO(2039),
  /** Accounts and QOS. */
  REQUEST_ASSOC_MGR_INFO(2043),
  REQUEST_BATCH_SCRIPT(2051),
  REQUEST_CRONTAB(2200),
  REQUEST_UPDATE_CRONTAB(2202),
  REQUEST_UPDATE_JOB(3001),
  REQUEST_UPDATE_NODE(3002),
  REQUEST_CREATE_PARTITION(3003),
  REQUEST_DELETE_PARTITION(3004),
  REQUEST_UPDATE_PARTITION(3005),
  REQUEST_CREATE_RESERVATION(3006),
  REQUEST_DELETE_RESERVATION(3008),
  REQUEST_UPDATE_RESERVATION(3009),
  REQUEST_DELETE_NODE(3014),
  REQUEST_CREATE_NODE(3015),
  REQUEST_SUBMIT_BATCH_JOB(4003),
  REQUEST_JOB_WILL_RUN(4012),
  REQUEST_JOB_NOTIFY(4022),
  REQUEST_SUBMIT_BATCH_HET_JOB(4028),
  REQUEST_JOB_ALLOCATION_INFO(4014),
  REQUEST_JOB_STEP_CREATE(5001),
  REQUEST_CANCEL_JOB_STEP(5005),
  REQUEST_STEP_COMPLETE(5016),
  REQUEST_COMPLETE_JOB_ALLOCATION(5017),
  REQUEST_COMPLETE_BATCH_SCRIPT(5018),
  REQUEST_JOB_REQUEUE(5023),
  REQUEST_KILL_JOB(5032),
  REQUEST_TOP_JOB(5038),
  REQUEST_AUTH_TOKEN(5039),
  MESSAGE_EPILOG_COMPLETE(6012),
  /** A node daemon has the job and begins with it. */
  REQUEST_COMPLETE_PROLOG(6018),
  /** Accounts, users, associations or QOS change. */
  ACCOUNTING_UPDATE_MSG(10001);

  private final int number;

  RpcMessageType(int number) {
    this.number = number;
  }

  /** Slurm's number. */
  public int number() {
    return number;
  }

  /**
   * What a command asks; null for what it says of itself, for more of what it asked, and for what
   * Slurm has another daemon for.
   */
  public static @Nullable RpcMessageType of(Request request) {
    return switch (request) {
      case Request.Greeting _,
          Request.MoreJobs _,
          Request.ListJobHistory _,
          Request.ShowUsage _,
          Request.ShowClusterHistory _,
          Request.ChangeClusters _,
          Request.AddCluster _,
          Request.RemoveClusters _,
          Request.ShowRunawayJobs _,
          Request.ShowBooksConfig _,
          Request.EndRunawayJobs _,
          Request.ArchiveRecords _,
          Request.LoadRecords _,
          Request.PingBooks _,
          Request.CorrectJobs _ ->
          null;
      case Request.Change change -> of(change.command());
      case Request.Allocate(var submission, _) -> of(submission.command());
      case Request.TestSubmit _, Request.TestHetSubmit _ -> REQUEST_JOB_WILL_RUN;
      case Request.ListJobs list ->
          list.userName() != null
              ? REQUEST_JOB_USER_INFO
              : list.jobIds().size() == 1 ? REQUEST_JOB_INFO_SINGLE : REQUEST_JOB_INFO;
      case Request.ChangedJobs _, Request.AwaitJobs _, Request.Visibility _ -> REQUEST_JOB_INFO;
      case Request.ShowCluster _, Request.ShowFragments _, Request.LocateNodes _ ->
          REQUEST_NODE_INFO;
      case Request.ShowConfig _ -> REQUEST_BUILD_INFO;
      case Request.FetchConfig _ -> REQUEST_CONFIG;
      case Request.Ping _, Request.ShowReplicas _ -> REQUEST_PING;
      case Request.BatchScript _ -> REQUEST_BATCH_SCRIPT;
      case Request.AwaitStart _ -> REQUEST_JOB_ALLOCATION_INFO;
      case Request.AwaitStepRoom _, Request.LaunchStep _, Request.GrantFiles _ ->
          REQUEST_JOB_STEP_CREATE;
      case Request.ShowWaitingSteps _ -> REQUEST_JOB_STEP_INFO;
      case Request.WaitJob _, Request.ExplainJob _ -> REQUEST_JOB_INFO_SINGLE;
      case Request.Reconfigure _ -> REQUEST_RECONFIGURE;
      case Request.Shutdown _ -> REQUEST_SHUTDOWN;
      case Request.SetLogLevel _, Request.SetDebugFlags _, Request.SetSchedulerLog _ ->
          REQUEST_SET_DEBUG_LEVEL;
      case Request.TakeOver _ -> REQUEST_TAKEOVER;
      case Request.ShowAccounts _ -> REQUEST_ASSOC_MGR_INFO;
      case Request.ShowShares _, Request.ShowHolders _ -> REQUEST_SHARE_INFO;
      case Request.ShowPriorities _, Request.ShowForecastAccuracy _ -> REQUEST_PRIORITY_FACTORS;
      case Request.ShowReservations _ -> REQUEST_RESERVATION_INFO;
      case Request.ShowTopology _ -> REQUEST_TOPO_INFO;
      case Request.ShowTriggers _ -> REQUEST_TRIGGER_GET;
      case Request.MakeToken _ -> REQUEST_AUTH_TOKEN;
      case Request.ShowCrontab _ -> REQUEST_CRONTAB;
      case Request.ShowStatistics _, Request.ResetStatistics _ -> REQUEST_STATS_INFO;
    };
  }

  private static RpcMessageType of(Command.UserCommand command) {
    return switch (command) {
      case Command.SubmitJob _ -> REQUEST_SUBMIT_BATCH_JOB;
      case Command.SubmitHetJob _ -> REQUEST_SUBMIT_BATCH_HET_JOB;
      case Command.KillJob _, Command.KillJobs _ -> REQUEST_KILL_JOB;
      case Command.HoldJob _, Command.ReleaseJob _, Command.UpdateJob _ -> REQUEST_UPDATE_JOB;
      case Command.SuspendJob _, Command.ResumeJob _ -> REQUEST_SUSPEND;
      case Command.RequeueJob _ -> REQUEST_JOB_REQUEUE;
      case Command.TopJobs _ -> REQUEST_TOP_JOB;
      case Command.NotifyJob _ -> REQUEST_JOB_NOTIFY;
      case Command.UpdateNodes _ -> REQUEST_UPDATE_NODE;
      case Command.CreateNodes _ -> REQUEST_CREATE_NODE;
      case Command.DeleteNodes _ -> REQUEST_DELETE_NODE;
      case Command.ChangePartition(_, boolean create) ->
          create ? REQUEST_CREATE_PARTITION : REQUEST_UPDATE_PARTITION;
      case Command.DeletePartition _ -> REQUEST_DELETE_PARTITION;
      case Command.ChangeAccounting _ -> ACCOUNTING_UPDATE_MSG;
      case Command.CreateStep _ -> REQUEST_JOB_STEP_CREATE;
      case Command.UpdateStep _ -> REQUEST_UPDATE_JOB;
      case Command.KillStep _ -> REQUEST_CANCEL_JOB_STEP;
      case Command.CompleteAllocation _ -> REQUEST_COMPLETE_JOB_ALLOCATION;
      case Command.ChangeTriggers(TriggerChange.SetTrigger _) -> REQUEST_TRIGGER_SET;
      case Command.ChangeTriggers(TriggerChange.ClearTriggers _) -> REQUEST_TRIGGER_CLEAR;
      case Command.ChangeCrontab _ -> REQUEST_UPDATE_CRONTAB;
      case Command.CreateReservation _ -> REQUEST_CREATE_RESERVATION;
      case Command.UpdateReservation _ -> REQUEST_UPDATE_RESERVATION;
      case Command.DeleteReservation _ -> REQUEST_DELETE_RESERVATION;
    };
  }

  /** What a node daemon reports. */
  public static RpcMessageType of(Command.NodeCommand command) {
    return switch (command) {
      case Command.RegisterNode _ -> MESSAGE_NODE_REGISTRATION_STATUS;
      case Command.StepLaunched _ -> REQUEST_COMPLETE_PROLOG;
      case Command.StepEnded _ -> REQUEST_COMPLETE_BATCH_SCRIPT;
      case Command.StepPartEnded _, Command.StepPartsEnded _ -> REQUEST_STEP_COMPLETE;
      case Command.NodeCleaned _ -> MESSAGE_EPILOG_COMPLETE;
      case Command.NodeUnfit _ -> REQUEST_UPDATE_NODE;
    };
  }

  /** Whether the answer waits for something to happen, so that its time says nothing. */
  public static boolean waits(Request request) {
    return request instanceof Request.AwaitJobs
        || request instanceof Request.Allocate
        || request instanceof Request.AwaitStart
        || request instanceof Request.AwaitStepRoom
        || request instanceof Request.WaitJob;
  }
}
