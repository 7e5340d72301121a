"""What a site can state of a job: failures, promises, recovery, and delays in the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .job_failures import expected_failures as expected_failures
    from .job_failures import expected_lost_time as expected_lost_time
    from .job_failures import failure_probability as failure_probability
    from .promises import checkpoint_gain as checkpoint_gain
    from .promises import longest_promise as longest_promise
    from .promises import promised_probability as promised_probability
    from .promises import risk_based_interval as risk_based_interval
    from .queue_delay import expected_head_delay as expected_head_delay
    from .queue_delay import expected_rear_delay as expected_rear_delay
    from .queue_delay import expected_resubmission_delay as expected_resubmission_delay
    from .recovery_options import expected_failure_slowdown as expected_failure_slowdown
    from .recovery_options import expected_manual_wait as expected_manual_wait
    from .recovery_options import recovery_charge as recovery_charge

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
