package io.dure.surface.sinfo;

import io.dure.surface.print.TableColumn;
import java.util.List;

/** The columns of the node listing, those with a letter first. */
public enum NodeColumn implements TableColumn {
  AVAILABLE('a', "Available", "AVAIL", Kind.PARTITION),
  FEATURES_ACTIVE('b', "features_act", "ACTIVE_FEATURES", Kind.NODE),
  CPUS('c', "CPUs", "CPUS", Kind.LEAST),
  DISK('d', "Disk", "TMP_DISK", Kind.LEAST),
  FREE_MEM('e', "FreeMem", "FREE_MEM", Kind.SUM),
  FEATURES('f', "Features", "AVAIL_FEATURES", Kind.NODE),
  GROUPS('g', "Groups", "GROUPS", Kind.PARTITION),
  OVER_SUBSCRIBE('h', "OverSubscribe", "OVERSUBSCRIBE", Kind.PARTITION),
  RESERVATION('i', "Reservation", "RESERVATION", Kind.NODE),
  TIME('l', "Time", "TIMELIMIT", Kind.PARTITION),
  MEMORY('m', "Memory", "MEMORY", Kind.LEAST),
  NODE_HOST('n', "NodeHost", "HOSTNAMES", Kind.NODE),
  NODE_ADDR('o', "NodeAddr", "NODE_ADDR", Kind.NODE),
  PRIORITY_TIER('p', "PriorityTier", "PRIO_TIER", Kind.PARTITION),
  ROOT('r', "Root", "ROOT", Kind.PARTITION),
  SIZE('s', "Size", "JOB_SIZE", Kind.PARTITION),
  STATE_COMPACT('t', "StateCompact", "STATE", Kind.NODE),
  USER('u', "User", "USER", Kind.NODE),
  VERSION('v', "Version", "VERSION", Kind.NODE),
  WEIGHT('w', "Weight", "WEIGHT", Kind.LEAST),
  SHAPE('z', "SocketCoreThread", "S:C:T", Kind.LEAST),
  NODES_AI('A', "NodeAI", "NODES(A/I)", Kind.SUM),
  MAX_CPUS_PER_NODE('B', "MaxCPUsPerNode", "MAX_CPUS_PER_NODE", Kind.PARTITION),
  CPUS_AIOT('C', "CPUsState", "CPUS(A/I/O/T)", Kind.SUM),
  NODES('D', "Nodes", "NODES", Kind.SUM),
  REASON('E', "Reason", "REASON", Kind.NODE),
  NODES_AIOT('F', "NodeAIOT", "NODES(A/I/O/T)", Kind.SUM),
  GRES('G', "Gres", "GRES", Kind.NODE),
  TIMESTAMP('H', "TimeStamp", "TIMESTAMP", Kind.NODE),
  PRIORITY_JOB_FACTOR('I', "PriorityJobFactor", "PRIO_JOB_FACTOR", Kind.PARTITION),
  DEFAULT_TIME('L', "DefaultTime", "DEFAULTTIME", Kind.PARTITION),
  PREEMPT_MODE('M', "PreemptMode", "PREEMPT_MODE", Kind.PARTITION),
  NODE_LIST('N', "NodeList", "NODELIST", Kind.SUM),
  CPU_LOAD('O', "CPUsLoad", "CPU_LOAD", Kind.SUM),
  PARTITION('P', "Partition", "PARTITION", Kind.PARTITION),
  PARTITION_NAME('R', "PartitionName", "PARTITION", Kind.PARTITION),
  ALLOC_NODES('S', "AllocNodes", "ALLOCNODES", Kind.PARTITION),
  STATE_LONG('T', "StateLong", "STATE", Kind.NODE),
  USER_LONG('U', "UserLong", "USER", Kind.NODE),
  CLUSTER('V', "Cluster", "CLUSTER", Kind.PARTITION),
  SOCKETS('X', "Sockets", "SOCKETS", Kind.LEAST),
  CORES('Y', "Cores", "CORES", Kind.LEAST),
  THREADS('Z', "Threads", "THREADS", Kind.LEAST),
  ALLOC_MEM(NO_LETTER, "AllocMem", "ALLOCMEM", Kind.NODE),
  COMMENT(NO_LETTER, "Comment", "COMMENT", Kind.NODE),
  EXTRA(NO_LETTER, "Extra", "EXTRA", Kind.NODE),
  GRES_USED(NO_LETTER, "GresUsed", "GRES_USED", Kind.NODE),
  PORT(NO_LETTER, "Port", "PORT", Kind.NODE),
  STATE_COMPLETE(NO_LETTER, "StateComplete", "STATECOMPLETE", Kind.NODE);

  /** How a column bears on which nodes share a row. */
  public enum Kind {
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

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final Names names;

  private final Kind kind;

  NodeColumn(char letter, String longName, String header, Kind kind) {
    names = new Names(letter, longName, header);
    this.kind = kind;
  }

  /** All columns in order. */
  public static List<NodeColumn> all() {
    return ALL;
  }

  @Override
  public Names names() {
    return names;
  }

  public Kind kind() {
    return kind;
  }
}
