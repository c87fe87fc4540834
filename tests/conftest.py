"""What all tests share: how generated cases are run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A slow machine must not make a right answer a wrong one.
settings.register_profile("mjconv", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("mjconv")
