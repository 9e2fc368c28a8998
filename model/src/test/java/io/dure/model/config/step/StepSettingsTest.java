package io.dure.model.config.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.ConfText;
import io.dure.model.config.slurmconf.ConfigDiagnostic.Severity;
import io.dure.model.config.step.StepSettings.MemoryLock;
import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.model.step.MpiInterface;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys about steps on their nodes: defaults, good values, bad ones, and how they are shown. */
@Tag("pure")
class StepSettingsTest {
  private static ClusterSettings settings(String lines) {
    var parsed = ConfText.with(lines);
    assertEquals(List.of(), parsed.errors());
    return parsed.config().settings();
  }

  private static StepSettings steps(String lines) {
    return settings(lines).steps();
  }

  private static List<String> wrong(String lines) {
    return ConfText.found(ConfText.with(lines), Severity.ERROR);
  }

  private static List<String> told(String lines) {
    return ConfText.found(ConfText.with(lines), Severity.NO_EFFECT);
  }

  @Test
  void withoutAWordTheyAreAsUsual() {
    assertEquals(StepSettings.USUAL, steps(""));
    assertEquals(
        List.of(
            "CpuFreqDef              = Unknown",
            "CpuFreqGovernors        = OnDemand,Performance,UserSpace",
            "EpilogMsgTime           = 2000 usec",
            "JobAcctGatherFrequency  = 30",
            "JobAcctGatherType       = (null)",
            "JobAcctGatherParams     = (null)",
            "LaunchParameters        = (null)",
            "PropagatePrioProcess    = 0",
            "PropagateResourceLimits = ALL",
            "PropagateResourceLimitsExcept = (null)",
            "TaskPluginParam         = (null type)"),
        shown(""));
  }

  @Test
  void eachWordSaysItsOwn() {
    String lines =
        """
        CpuFreqDef=Performance
        CpuFreqGovernors=OnDemand,PowerSave
        EpilogMsgTime=5000
        JobAcctGatherType=jobacct_gather/cgroup
        JobAcctGatherFrequency=task=7
        JobAcctGatherParams=UsePss,OverMemoryKill
        InteractiveStepOptions="--interactive --pty /bin/zsh"
        LaunchParameters=batch_step_set_cpu_freq,slurmstepd_memlock_all,use_interactive_step
        MpiDefault=pmix_v4
        PrologFlags=Contain,X11
        X11Parameters=home_xauthority
        TreeWidth=50
        KillOnBadExit=1
        WaitTime=90
        SrunProlog=/site/before
        MaxStepCount=3
        PropagatePrioProcess=2
        TaskPluginParam=OOMKillStep,SlurmdOffSpec,autobind=cores
        PropagateResourceLimits=CORE,nofile
        """;
    assertEquals(
        new StepSettings(
            StepSettings.Priority.ABOVE_DAEMON,
            MemoryLock.ALL,
            true,
            true,
            "performance",
            List.of("ondemand", "powersave"),
            true,
            new MemoryWatch(
                StepSettings.Source.CGROUP,
                Duration.ofSeconds(7),
                StepSettings.Measure.PROPORTIONAL,
                true),
            Duration.ofMillis(5),
            MpiInterface.PMIX,
            "cores",
            50,
            false,
            null,
            null,
            CgroupSettings.USUAL,
            "--interactive --pty /bin/zsh",
            true,
            null,
            3,
            new StepSettings.Displays(true),
            new SrunDefaults(true, 90, "/site/before", "")),
        steps(lines));
    assertEquals(List.of("CORE", "NOFILE"), settings(lines).jobs().propagatedLimits());
    assertEquals(List.of(), told(lines));
    List<String> shown = shown(lines);
    assertTrue(shown.contains("JobAcctGatherParams     = UsePss,OverMemoryKill"), shown::toString);
    assertTrue(shown.contains("PropagateResourceLimits = CORE,NOFILE"), shown::toString);
    assertTrue(
        shown.contains("TaskPluginParam         = OOMKillStep,SlurmdOffSpec,autobind=cores"));
  }

  @Test
  void aWordMayHaveOthersInItsPlace() {
    assertEquals(MemoryLock.PRESENT, steps("LaunchParameters=slurmstepd_memlock\n").memoryLock());
    assertEquals("2000000", steps("CpuFreqDef=2000000\n").defaultFrequency());
    assertEquals(
        StepSettings.Measure.WITHOUT_SHARED,
        steps("JobAcctGatherParams=NoShared\n").memory().measure());
  }

  @Test
  void aFrequencyOfZeroLooksNever() {
    assertTrue(
        !steps("JobAcctGatherType=jobacct_gather/linux\nJobAcctGatherFrequency=0\n")
            .memory()
            .isOn());
  }

  private static List<String> shown(String lines) {
    return ConfText.shown(
        lines,
        List.of(
            "CpuFreq",
            "EpilogMsgTime",
            "JobAcctGather",
            "LaunchParameters",
            "Propagate",
            "TaskPluginParam"));
  }

  @Test
  void wrongWordsAreToldWithTheirLine() {
    assertEquals(List.of("5 MpiDefault: there is no mvapich"), wrong("MpiDefault=mvapich\n"));
    assertEquals(List.of("5 CpuFreqDef: value (fast) is no frequency"), wrong("CpuFreqDef=fast\n"));
    assertEquals(
        List.of("5 CpuFreqGovernors: there is no governor fast"), wrong("CpuFreqGovernors=Fast\n"));
    assertEquals(
        List.of("5 EpilogMsgTime: value (soon) is not a number of microseconds"),
        wrong("EpilogMsgTime=soon\n"));
    assertEquals(
        List.of("5 JobAcctGatherType: there is no jobacct_gather/aix"),
        wrong("JobAcctGatherType=jobacct_gather/aix\n"));
    assertEquals(
        List.of("5 JobAcctGatherFrequency: value (task=often) is no interval"),
        wrong("JobAcctGatherFrequency=task=often\n"));
    assertEquals(
        List.of("5 AcctGatherProfileType: there is no acct_gather_profile/csv"),
        wrong("AcctGatherProfileType=acct_gather_profile/csv\n"));
    assertEquals(
        List.of("5 JobAcctGatherParams: there is no kill"), wrong("JobAcctGatherParams=Kill\n"));
    assertEquals(List.of("5 LaunchParameters: there is no lock"), wrong("LaunchParameters=lock\n"));
    assertEquals(
        List.of("5 PropagatePrioProcess: value (3) is not from 0 to 2"),
        wrong("PropagatePrioProcess=3\n"));
    assertEquals(
        List.of("5 PropagateResourceLimits: value (FILES) is no resource limit"),
        wrong("PropagateResourceLimits=FILES\n"));
    assertEquals(
        List.of("5 PropagateResourceLimitsExcept: value (FILES) is no resource limit"),
        wrong("PropagateResourceLimitsExcept=files\n"));
    assertEquals(List.of("5 TaskPluginParam: there is no oom"), wrong("TaskPluginParam=oom\n"));
  }

  @Test
  void wordsOfWhichNothingComesAreTold() {
    assertEquals(
        List.of("5 LaunchParameters: mem_sort: read, and not acted on"),
        told("LaunchParameters=mem_sort,slurmstepd_memlock\n"));
    assertEquals(
        List.of("5 TaskPluginParam: verbose: read, and not acted on"),
        told("TaskPluginParam=Verbose\n"));
    assertEquals(
        List.of("5 JobAcctGatherFrequency: energy=60: read, and not acted on"),
        told("JobAcctGatherFrequency=task=30,energy=60\n"));
  }
}
