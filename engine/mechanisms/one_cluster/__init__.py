"""Mechanisms that find a small ball holding many points."""

from engine.mechanisms.one_cluster.ball import Ball as Ball
from engine.mechanisms.one_cluster.ball import records_in as records_in
from engine.mechanisms.one_cluster.ball import relative_radii as relative_radii
from engine.mechanisms.one_cluster.ball import screen_points as screen_points
from engine.mechanisms.one_cluster.ball import typical_quality as typical_quality
from engine.mechanisms.one_cluster.balls import BallMechanism as BallMechanism
from engine.mechanisms.one_cluster.finders import FINDERS as FINDERS
from engine.mechanisms.one_cluster.finders import FORMER_NAMES as FORMER_NAMES
from engine.mechanisms.one_cluster.finders import finder as finder
from engine.mechanisms.one_cluster.interior_point import InteriorPoint as InteriorPoint
from engine.mechanisms.one_cluster.one_cluster import KBalls as KBalls
from engine.mechanisms.one_cluster.one_cluster import OneCluster as OneCluster
from engine.mechanisms.one_cluster.one_cluster import one_cluster as one_cluster
from engine.mechanisms.one_cluster.screened_mean import ScreenedMean as ScreenedMean
from engine.mechanisms.one_cluster.search import BallGuarantee as BallGuarantee
from engine.mechanisms.one_cluster.search import BoxPartition as BoxPartition
from engine.mechanisms.one_cluster.search import Crossing as Crossing
from engine.mechanisms.one_cluster.search import SearchResult as SearchResult
from engine.mechanisms.one_cluster.search import Share as Share
from engine.mechanisms.one_cluster.search import Task as Task
