"""Random draws that depend on the data: exact for a release, fast for a simulation."""

# Why exact: privacy is proved for real numbers, and the lowest bits of a double reveal the true value
# (Mironov 2012).  A release is therefore the exact rounding of the ideal mechanism to a public grid;
# rounding is post-processing and costs nothing.  Random bits come from the operating system one by one.
# A ball (Arb, Johansson 2017) encloses the ideal value; more bits shrink it until it rounds to one grid
# point.  Doubles with a bound on their error decide first, because they are faster.
#
# A mechanism from outside needs only `add_noise`, `noise_step`, `is_above`, `NoisyThreshold`, `flip_coins`,
# `exact_sum` and `engine.primitives.selection.exponential_mechanism`.
#
# Every function takes a generator.  `engine.randomness.SecureGenerator` makes an exact draw; a seeded one
# makes a simulation with numpy's samplers, whose law differs in the last digits only.  No seed reaches an
# exact draw, and no release uses numpy's noise.
#
# Why not OpenDP: it samples Laplace and Gaussian noise on whole numbers exactly (Canonne, Kamath, Steinke
# 2020).  We also need six other families, products of families, weighted choices and thresholds on real
# numbers, with one proof for all.  Rounding real noise keeps the proved constants (such as those of Balle
# and Wang), is as fast, and needs a package of a quarter of the size.
