package io.dure.cli.sinfo;

import io.dure.cli.print.Column;
import java.util.List;

/** The columns of the node listing, those with a letter first. */
public enum NodeColumn implements Column {
  AVAILABLE('a', "Available", "AVAIL", Kind.PARTITION),
  NODES_AI('A', "NodeAI", "NODES(A/I)", Kind.SUM),
  FEATURES_ACTIVE('b', "FeaturesAct", "ACTIVE_FEATURES", Kind.NODE),
  MAX_CPUS_PER_NODE('B', "MaxCPUsPerNode", "MAX_CPUS_PER_NODE", Kind.PARTITION),
  CPUS('c', "CPUs", "CPUS", Kind.LEAST),
  CPUS_AIOT('C', "CPUsState", "CPUS(A/I/O/T)", Kind.SUM),
  DISK('d', "Disk", "TMP_DISK", Kind.LEAST),
  NODES('D', "Nodes", "NODES", Kind.SUM),
  FREE_MEM('e', "FreeMem", "FREE_MEM", Kind.SUM),
  REASON('E', "Reason", "REASON", Kind.NODE),
  FEATURES('f', "Features", "AVAIL_FEATURES", Kind.NODE),
  NODES_AIOT('F', "NodeAIOT", "NODES(A/I/O/T)", Kind.SUM),
  GROUPS('g', "Groups", "GROUPS", Kind.PARTITION),
  GRES('G', "Gres", "GRES", Kind.NODE),
  OVER_SUBSCRIBE('h', "OverSubscribe", "OVERSUBSCRIBE", Kind.PARTITION),
  TIMESTAMP('H', "TimeStamp", "TIMESTAMP", Kind.NODE),
  RESERVATION('i', "Reservation", "RESERVATION", Kind.NODE),
  PRIORITY_JOB_FACTOR('I', "PriorityJobFactor", "PRIO_JOB_FACTOR", Kind.PARTITION),
  TIME('l', "Time", "TIMELIMIT", Kind.PARTITION),
  DEFAULT_TIME('L', "DefaultTime", "DEFAULTTIME", Kind.PARTITION),
  MEMORY('m', "Memory", "MEMORY", Kind.LEAST),
  PREEMPT_MODE('M', "PreemptMode", "PREEMPT_MODE", Kind.PARTITION),
  NODE_HOST('n', "NodeHost", "HOSTNAMES", Kind.NODE),
  NODE_LIST('N', "NodeList", "NODELIST", Kind.SUM),
  NODE_ADDR('o', "NodeAddr", "NODE_ADDR", Kind.NODE),
  CPU_LOAD('O', "CPUsLoad", "CPU_LOAD", Kind.SUM),
  PRIORITY_TIER('p', "PriorityTier", "PRIO_TIER", Kind.PARTITION),
  PARTITION('P', "Partition", "PARTITION", Kind.PARTITION),
  ROOT('r', "Root", "ROOT", Kind.PARTITION),
  PARTITION_NAME('R', "PartitionName", "PARTITION", Kind.PARTITION),
  SIZE('s', "Size", "JOB_SIZE", Kind.PARTITION),
  ALLOC_NODES('S', "AllocNodes", "ALLOCNODES", Kind.PARTITION),
  STATE_COMPACT('t', "StateCompact", "STATE", Kind.NODE),
  STATE_LONG('T', "StateLong", "STATE", Kind.NODE),
  USER('u', "User", "USER", Kind.NODE),
  USER_LONG('U', "UserLong", "USER", Kind.NODE),
  VERSION('v', "Version", "VERSION", Kind.NODE),
  CLUSTER('V', "Cluster", "CLUSTER", Kind.PARTITION),
  WEIGHT('w', "Weight", "WEIGHT", Kind.LEAST),
  SOCKETS('X', "Sockets", "SOCKETS", Kind.LEAST),
  CORES('Y', "Cores", "CORES", Kind.LEAST),
  SHAPE('z', "SocketCoreThread", "S:C:T", Kind.LEAST),
  THREADS('Z', "Threads", "THREADS", Kind.LEAST),
  ALLOC_MEM(NO_LETTER, "AllocMem", "ALLOCMEM", Kind.NODE),
  COMMENT(NO_LETTER, "Comment", "COMMENT", Kind.NODE),
  EXTRA(NO_LETTER, "Extra", "EXTRA", Kind.NODE),
  GRES_USED(NO_LETTER, "GresUsed", "GRES_USED", Kind.NODE),
  PORT(NO_LETTER, "Port", "PORT", Kind.NODE),
  STATE_COMPLETE(NO_LETTER, "StateComplete", "STATE_COMPLETE", Kind.NODE);

  /** How a column bears on which nodes share a row. */
  enum Kind {
    /** Of the partition: partitions that differ in it have rows of their own. */
    PARTITION,
    /** Of the node: nodes that differ in it have rows of their own. */
    NODE,
    /** Of the node: a row shows the least and a plus, unless exact rows are asked for. */
    LEAST,
    /** Of all nodes of the row together. */
    SUM
  }

  private static final List<NodeColumn> ALL = List.of(values());

  private final char letter;
  private final String longName;
  private final String header;
  private final Kind kind;

  NodeColumn(char letter, String longName, String header, Kind kind) {
    this.letter = letter;
    this.longName = longName;
    this.header = header;
    this.kind = kind;
  }

  /** All columns in order. */
  public static List<NodeColumn> all() {
    return ALL;
  }

  @Override
  public char letter() {
    return letter;
  }

  @Override
  public String longName() {
    return longName;
  }

  @Override
  public String header() {
    return header;
  }

  Kind kind() {
    return kind;
  }
}
