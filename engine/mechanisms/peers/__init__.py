"""What other libraries release, as mechanisms here: to be compared and audited beside our own."""

from engine.mechanisms.peers.answers import PeerPrepared
from engine.mechanisms.peers.diffprivlib import DiffprivlibRelease
from engine.mechanisms.peers.histograms import DiffprivlibHistogram, OpenDPHistogram, PythonDPHistogram
from engine.mechanisms.peers.k_means import DiffprivlibKMeans
from engine.mechanisms.peers.library import INSTALL, Peer
from engine.mechanisms.peers.opendp import OpenDPRelease
from engine.mechanisms.peers.python_dp import PythonDPRelease

__all__ = [
    "INSTALL",
    "DiffprivlibHistogram",
    "DiffprivlibKMeans",
    "DiffprivlibRelease",
    "OpenDPHistogram",
    "OpenDPRelease",
    "Peer",
    "PeerPrepared",
    "PythonDPHistogram",
    "PythonDPRelease",
]
