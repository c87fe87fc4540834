"""Settings of generated cases, which all tests share.

``pytest --hypothesis-profile thorough`` tries all cases; the quick tests try a sixth.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

for name, examples in (("quick", 10), ("thorough", 60)):
    # Without a deadline, because a slow machine must not make a right answer a wrong one.
    settings.register_profile(
        name, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("quick")
