"""Other libraries: what they release, as mechanisms here, and our mechanisms as parts of them."""

from engine.extras.libraries.answers import PeerPrepared
from engine.extras.libraries.diffprivlib import DiffprivlibRelease
from engine.extras.libraries.histograms import DiffprivlibHistogram, OpenDPHistogram, PythonDPHistogram
from engine.extras.libraries.k_means import DiffprivlibKMeans
from engine.extras.libraries.library import INSTALL, Peer
from engine.extras.libraries.opendp import OpenDPRelease
from engine.extras.libraries.python_dp import PythonDPRelease

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
