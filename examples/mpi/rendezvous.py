"""Starts workers as torch.distributed.run does, one such agent on each node:

    rendezvous.py NODES WORKERS HOST:PORT COMMAND...

The agents meet at HOST:PORT, where the first that can listen serves the others, and agree on who has which ranks. Each starts
WORKERS processes with RANK, WORLD_SIZE, LOCAL_RANK, GROUP_RANK, MASTER_ADDR and MASTER_PORT. Exit code: the highest of theirs.
"""

import json
import os
import socket
import subprocess
import sys
import threading
import time

nodes, workers, (host, port), command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].rsplit(":", 1), sys.argv[4:]


def serve(listener):
    """Gives the agents their places: in the order of their nodes in the step, where they know that."""
    agents = []
    while len(agents) < nodes:
        connection, _ = listener.accept()
        agents.append((json.loads(connection.makefile().readline()), connection))
    agents.sort(key=lambda agent: agent[0])
    for place, (_, connection) in enumerate(agents):
        connection.sendall((json.dumps({"group": place}) + "\n").encode())


def meet():
    listener = socket.socket()
    try:
        listener.bind((host, int(port)))
        listener.listen(nodes)
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
    except OSError:
        listener.close()  # another agent serves, or will
    for _ in range(600):
        try:
            connection = socket.create_connection((host, int(port)))
            break
        except OSError:
            time.sleep(0.1)
    connection.sendall((json.dumps(int(os.environ.get("SLURM_NODEID", "0"))) + "\n").encode())
    return json.loads(connection.makefile().readline())["group"]


group = meet()
started = []
for local in range(workers):
    own = {"RANK": group * workers + local, "WORLD_SIZE": nodes * workers, "LOCAL_RANK": local, "LOCAL_WORLD_SIZE": workers,
           "GROUP_RANK": group, "MASTER_ADDR": host, "MASTER_PORT": int(port) + 1}
    started.append(subprocess.Popen(command, env={**os.environ, **{name: str(value) for name, value in own.items()}}))
sys.exit(max(abs(worker.wait()) for worker in started))
