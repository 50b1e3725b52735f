"""What other libraries release, as mechanisms here: to be compared and audited beside our own."""

from engine.mechanisms.peers.base import INSTALL, Peer, PeerPrepared
from engine.mechanisms.peers.diffprivlib import DiffprivlibRelease
from engine.mechanisms.peers.opendp import OpenDPRelease
from engine.mechanisms.peers.python_dp import PythonDPRelease

__all__ = ["INSTALL", "DiffprivlibRelease", "OpenDPRelease", "Peer", "PeerPrepared", "PythonDPRelease"]
