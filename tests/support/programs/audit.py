"""Attack the smooth release of a median, and a faulty one."""

from sensiscope import PLANTED, Interval, Privacy, SmoothRelease, audit_run, worst_case_pairs

privacy = Privacy(1.0)
domain = Interval(0, 100)
good = SmoothRelease("median")
for name, mechanism in {"good": good, "faulty": PLANTED["local-noise"].planted(good)}.items():
    pairs = worst_case_pairs(mechanism, domain, 101, privacy)
    audits = [audit_run(mechanism, pair, privacy, runs=5000, seed=1).audit for pair in pairs]
    print(name, max(audit.epsilon_lower_bound for audit in audits), any(audit.violated for audit in audits))
