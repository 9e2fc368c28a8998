"""Asks for nodes, partitions and states through ClusterShell's bundled slurm group source."""

import sys

from ClusterShell.NodeSet import NodeSet, RESOLVER_NOGROUP  # noqa: F401
from ClusterShell.NodeUtils import GroupResolverConfig

resolver = GroupResolverConfig(sys.argv[1])
nodes = NodeSet("@slurmpart:main", resolver=resolver)
idle = NodeSet("@slurmstate:idle", resolver=resolver)
sys.exit(0 if len(nodes) > 0 and idle.issubset(nodes) else f"nodes {nodes}, idle {idle}")
