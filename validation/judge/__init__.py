"""The machinery of the judge: trials, comparisons, verdicts. It knows no formula."""
