# pip: ClusterShell
"""Asks for nodes, partitions and states through ClusterShell's bundled slurm group source."""

import os
import shutil
import sys

from ClusterShell.NodeSet import NodeSet, RESOLVER_NOGROUP  # noqa: F401
from ClusterShell.NodeUtils import GroupResolverConfig

os.makedirs("groups", exist_ok=True)
shutil.copy(f"{sys.prefix}/etc/clustershell/groups.conf.d/slurm.conf.example", "groups/slurm.conf")
with open("groups.conf", "w") as file:
    file.write(f"[Main]\ndefault: slurmpart\nconfdir: {os.getcwd()}/groups\n")
resolver = GroupResolverConfig("groups.conf")
nodes = NodeSet(f"@slurmpart:{os.environ['PROGRAMS_PARTITION']}", resolver=resolver)
idle = NodeSet("@slurmstate:idle", resolver=resolver)
sys.exit(0 if len(nodes) > 0 and idle.issubset(nodes) else f"nodes {nodes}, idle {idle}")
