"""Errors of releases and constants of noise for help pages, by the defaults of the program."""

import math
from functools import cache

import numpy as np

from app.lessons.lesson import Scene
from app.lessons.player import load_scene
from engine import Interval, Sample
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.mechanisms import MECHANISMS
from engine.privacy import Privacy
from engine.progress import silent

UPPER = 500_000
"""The upper bound of the salaries, from the example's file."""
DELTA = 1e-6
"""Where a page needs a delta."""


@cache
def salaries(upper=UPPER):
    """Return the bundled salaries, from 0 to an upper bound."""
    scene = Scene("median", query="mean", example="salaries")
    return Sample(load_scene(scene, silent).data["numbers"].values, Interval(0, upper))


@cache
def evenly_spaced(n):
    """Return so many values from 0 to 1."""
    return Sample(np.linspace(0, 1, n), Interval(0, 1))


@cache
def evenly_spaced_example():
    """Return the bundled values that are evenly spaced from 0 to 1,000."""
    scene = Scene("median", query="mean", example="evenly-spaced")
    return Sample(load_scene(scene, silent).data["numbers"].values, Interval(0, 1000))


@cache
def graph_of(example):
    """Return a bundled graph whose edges are confidential."""
    edges = load_scene(Scene("spanning-tree", query="mst", example=example), silent).data["edges"]
    return SimpleGraph(edges.ends, n=edges.n)


def karate():
    """Return the karate club."""
    return graph_of("karate")


@cache
def weighted(example, upper):
    """Return a bundled graph whose weights are confidential."""
    edges = load_scene(Scene("spanning-tree", query="mst", example=example), silent).data["edges"]
    return WeightedGraph(edges.ends, edges.weights, Interval(0, upper), n=edges.n)


@cache
def prepared(method, query, data, epsilon=1.0, delta=0.0, **settings):
    """Return a method ready to draw, with the defaults of its form."""
    return MECHANISMS[method](query=query, **settings).prepare(data, Privacy(epsilon, delta))


def error(*release, share=0.5, **settings):
    """Return the error that this share of all releases does not exceed, by the exact law if there is one."""
    return float(prepared(*release, **settings).error_quantiles([share])[0])


def pair(noise, delta=0.0, epsilon=1.0, **settings):
    """Return alpha and beta of a noise."""
    found = noise.admissible(Privacy(epsilon, delta), **settings)
    return found.alpha, found.beta


def deviation(noise, delta=0.0, epsilon=1.0, **settings):
    """Return the standard deviation of a noise, in multiples of S."""
    return math.sqrt(noise.variance) / pair(noise, delta, epsilon, **settings)[0]


def median_of(noise, delta=0.0, epsilon=1.0, **settings):
    """Return the median of the absolute value of a noise, in multiples of S."""
    return float(noise.quantile(0.75)) / pair(noise, delta, epsilon, **settings)[0]
