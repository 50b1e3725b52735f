"""Random draws that depend on the data: exact for a release, fast for a simulation.

A mechanism is proved private for real numbers.  Doubles are not: which of them a sampler can
give depends on what the noise is added to, and the lowest bits of a release tell which it was
(Mironov 2012).  A release therefore is the exact rounding of the ideal mechanism to a grid that
is public; rounding is a post-processing and costs nothing.  It is decided without an error:
random bits are drawn from the operating system one after the other, the ideal value is enclosed
in a ball (Arb, Johansson 2017), and both are refined until the ball rounds to one grid point.
Where doubles with a bound on their error decide already, they do.

The public face is `add_noise`, `noise_step`, `is_above`, `NoisyThreshold`, `flip_coins`, `exact_sum` and
`engine.primitives.selection.exponential_mechanism`: all that a mechanism of one's own needs.

Every function here takes a generator.  That of a release (`engine.randomness.SecureGenerator`)
leads to the exact draw; a seeded one leads to numpy's samplers, whose law is the same but for
the last digits.  No seed reaches an exact draw, and no release numpy's noise.

Why not a library: OpenDP samples Laplace and Gaussian noise on whole numbers exactly, by the
rejections of Canonne, Kamath, Steinke (2020).  Eight families, products of them, choices by
weight and thresholds on real numbers are needed here, with one proof for all; rounding real
noise keeps the constants of every mechanism (Balle and Wang's exact condition among them) as
they are proved, at the same speed, with a package of a quarter of the size.
"""
