"""What happens to jobs that failed: simple rules, options, and credits to pay for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .credits import Accounts as Accounts
    from .credits import Charge as Charge
    from .credits import Prices as Prices
    from .options import CASES as CASES
    from .options import OPTIONS as OPTIONS
    from .options import WITH_PREEMPTION as WITH_PREEMPTION
    from .options import RecoverByOption as RecoverByOption
    from .options import RecoveryOption as RecoveryOption
    from .options import assign_options as assign_options
    from .replay import CreditReplay as CreditReplay
    from .replay import replay_credits as replay_credits
    from .simple import RECOVERIES as RECOVERIES
    from .simple import Drop as Drop
    from .simple import ResubmitNew as ResubmitNew
    from .simple import ResubmitOriginal as ResubmitOriginal

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
