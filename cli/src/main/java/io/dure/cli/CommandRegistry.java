package io.dure.cli;

import io.dure.cli.admin.BenchLoad;
import io.dure.cli.admin.BenchSubmit;
import io.dure.cli.admin.CheckConfig;
import io.dure.cli.admin.MakeConfig;
import io.dure.cli.admin.NodeNamesCommand;
import io.dure.cli.command.CliCommand;
import io.dure.cli.cost.CostCommand;
import io.dure.cli.efficiency.EfficiencyCommand;
import io.dure.cli.exitmod.Sjobexitmod;
import io.dure.cli.fairshare.FairShareCommand;
import io.dure.cli.forecast.ForecastCommand;
import io.dure.cli.fragmentation.FragmentationCommand;
import io.dure.cli.lsf.Bjobs;
import io.dure.cli.lsf.Bkill;
import io.dure.cli.lsf.Bsub;
import io.dure.cli.man.MakeManPages;
import io.dure.cli.sacct.Sacct;
import io.dure.cli.sacctmgr.Sacctmgr;
import io.dure.cli.salloc.Salloc;
import io.dure.cli.sattach.Sattach;
import io.dure.cli.sbatch.Sbatch;
import io.dure.cli.sbcast.Sbcast;
import io.dure.cli.sbcast.Sgather;
import io.dure.cli.scancel.Scancel;
import io.dure.cli.scontrol.Scontrol;
import io.dure.cli.scrontab.Scrontab;
import io.dure.cli.sdiag.Sdiag;
import io.dure.cli.seff.Seff;
import io.dure.cli.sinfo.Sinfo;
import io.dure.cli.sjstat.Sjstat;
import io.dure.cli.sprio.Sprio;
import io.dure.cli.squeue.Squeue;
import io.dure.cli.squeue.WatchCommand;
import io.dure.cli.sreport.Sreport;
import io.dure.cli.srun.Srun;
import io.dure.cli.sshare.Sshare;
import io.dure.cli.sstat.Sstat;
import io.dure.cli.strigger.Strigger;
import io.dure.cli.tenant.TenantCommand;
import io.dure.cli.torque.JobVerb;
import io.dure.cli.torque.Pbsnodes;
import io.dure.cli.torque.Qalter;
import io.dure.cli.torque.Qdel;
import io.dure.cli.torque.Qstat;
import io.dure.cli.torque.Qsub;
import io.dure.cli.who.WhoCommand;
import io.dure.cli.why.WhyCommand;
import org.jspecify.annotations.Nullable;

/** The commands by their names. Any thread. */
public final class CommandRegistry {
  private CommandRegistry() {}

  /** A command that people type, null if there is none of that name. */
  public static @Nullable CliCommand forUsers(String name) {
    return switch (name) {
      case "dure-cost" -> new CostCommand();
      case "dure-efficiency" -> new EfficiencyCommand();
      case "dure-fairshare" -> new FairShareCommand();
      case "dure-forecast" -> new ForecastCommand();
      case "dure-fragmentation" -> new FragmentationCommand();
      case "dure-tenant" -> new TenantCommand();
      case "dure-watch" -> new WatchCommand();
      case "dure-who" -> new WhoCommand();
      case "dure-why" -> new WhyCommand();
      case "bjobs" -> new Bjobs();
      case "bkill" -> new Bkill();
      case "bsub" -> new Bsub();
      case "pbsnodes" -> new Pbsnodes();
      case "qalter" -> new Qalter();
      case "qdel" -> new Qdel();
      case "qhold" -> JobVerb.QHOLD;
      case "qrerun" -> JobVerb.QRERUN;
      case "qrls" -> JobVerb.QRLS;
      case "qstat" -> new Qstat();
      case "qsub" -> new Qsub();
      case "sacctmgr" -> new Sacctmgr();
      case "salloc" -> new Salloc();
      case "sattach" -> new Sattach();
      case "sbatch" -> new Sbatch();
      case "sbcast" -> new Sbcast();
      case "scancel" -> new Scancel();
      case "scontrol" -> new Scontrol();
      case "scrontab" -> new Scrontab();
      case "sdiag" -> new Sdiag();
      case "seff" -> new Seff();
      case "sgather" -> new Sgather();
      case "sinfo" -> new Sinfo();
      case "sjobexitmod" -> new Sjobexitmod();
      case "sjstat" -> new Sjstat();
      case "sacct" -> new Sacct();
      case "sprio" -> new Sprio();
      case "squeue" -> new Squeue();
      case "srun" -> new Srun();
      case "sstat" -> new Sstat();
      case "sreport" -> new Sreport();
      case "sshare" -> new Sshare();
      case "strigger" -> new Strigger();
      default -> null;
    };
  }

  /** Those and the launcher's own. */
  static @Nullable CliCommand named(String name) {
    return switch (name) {
      case "check-config" -> new CheckConfig();
      case "make-config" -> new MakeConfig();
      case "make-man-pages" -> new MakeManPages(CommandRegistry::forUsers);
      case "bench-submit" -> new BenchSubmit();
      case "bench-load" -> new BenchLoad();
      case "node-names" -> new NodeNamesCommand();
      default -> forUsers(name);
    };
  }
}
