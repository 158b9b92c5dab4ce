"""What the machines of a cluster have: processors, and this program in the same version."""

from __future__ import annotations

from typing import Any

from pinakes_ask import __version__
from pinakes_ask.distributed.errors import ClusterUnusable

#: Seconds that a machine has to say which version it has.
PATIENCE = 60.0
_INSTALL = "Install pinakes-ask[ray] of one version on every machine, in the Python that runs `ray start`"


def check_machines(address: str) -> None:
    """See that every machine that has processors has this program, in this version. The cluster was joined.

    :raises ClusterUnusable: naming a machine that has not.
    """
    import ray
    from ray.exceptions import GetTimeoutError, RayError
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    # Made here, so that it travels as it is: a machine without the program could not import it.
    def version() -> str:
        try:
            from pinakes_ask import __version__ as found
        except ImportError as error:
            return f"! {error}"
        return str(found)

    what = f"The cluster at {address} cannot be used"
    for node in working_nodes():
        place = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
        machine = node["NodeManagerHostname"] or node["NodeManagerAddress"]
        try:
            asked = ray.remote(num_cpus=0, max_retries=1, scheduling_strategy=place)(version).remote()
            found = ray.get(asked, timeout=PATIENCE)
        except GetTimeoutError as error:
            raise ClusterUnusable(
                what,
                f"the machine {machine} said nothing for {PATIENCE:.0f} seconds",
                "Take it out of the cluster",
            ) from error
        except RayError as error:
            why = f"the machine {machine} failed: {str(error).strip().splitlines()[-1]}"
            raise ClusterUnusable(what, why, "Take it out of the cluster") from error
        if found.startswith("!"):
            raise ClusterUnusable(what, f"the machine {machine} does not have the program ({found[2:]})", _INSTALL)
        if found != __version__:
            raise ClusterUnusable(
                what, f"the machine {machine} has version {found} of the program, this one {__version__}", _INSTALL
            )


def working_nodes() -> list[dict[str, Any]]:
    """Return the machines of the cluster that are alive and have processors to give."""
    import ray

    return [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]


def processors() -> int:
    """Return how many processors the cluster gives to workers.

    :raises ClusterUnusable: when it has none.
    """
    import ray

    found = sum(int(node["Resources"]["CPU"]) for node in working_nodes())
    if not found:
        raise ClusterUnusable(
            f"The cluster at {ray.get_runtime_context().gcs_address} cannot be used",
            "none of its machines has a processor to give",
            "Add one with `ray start`",
        )
    return found
