package io.dure.cli;

import io.dure.cli.admin.BenchLoad;
import io.dure.cli.admin.BenchSubmit;
import io.dure.cli.admin.CheckConfig;
import io.dure.cli.admin.MakeConfig;
import io.dure.cli.admin.NodeNames;
import io.dure.cli.command.Command;
import io.dure.cli.forecast.Forecast;
import io.dure.cli.fragmentation.Fragmentation;
import io.dure.cli.sacctmgr.Sacctmgr;
import io.dure.cli.sbatch.Sbatch;
import io.dure.cli.scancel.Scancel;
import io.dure.cli.scontrol.Scontrol;
import io.dure.cli.sdiag.Sdiag;
import io.dure.cli.sinfo.Sinfo;
import io.dure.cli.sprio.Sprio;
import io.dure.cli.squeue.Squeue;
import io.dure.cli.squeue.Watch;
import io.dure.cli.sshare.Sshare;
import io.dure.cli.who.Who;
import io.dure.cli.why.Why;
import org.jspecify.annotations.Nullable;

/** The commands by their names. Any thread. */
public final class Commands {
  private Commands() {}

  /** A command that people type, null if there is none of that name. */
  public static @Nullable Command forUsers(String name) {
    return switch (name) {
      case "dure-forecast" -> new Forecast();
      case "dure-fragmentation" -> new Fragmentation();
      case "dure-watch" -> new Watch();
      case "dure-who" -> new Who();
      case "dure-why" -> new Why();
      case "sacctmgr" -> new Sacctmgr();
      case "sbatch" -> new Sbatch();
      case "scancel" -> new Scancel();
      case "scontrol" -> new Scontrol();
      case "sdiag" -> new Sdiag();
      case "sinfo" -> new Sinfo();
      case "sprio" -> new Sprio();
      case "squeue" -> new Squeue();
      case "sshare" -> new Sshare();
      default -> null;
    };
  }

  /** Those and the launcher's own. */
  static @Nullable Command named(String name) {
    return switch (name) {
      case "check-config" -> new CheckConfig();
      case "make-config" -> new MakeConfig();
      case "bench-submit" -> new BenchSubmit();
      case "bench-load" -> new BenchLoad();
      case "node-names" -> new NodeNames();
      default -> forUsers(name);
    };
  }
}
